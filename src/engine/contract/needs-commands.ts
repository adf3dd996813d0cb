// Whether a criterion can be decided without running anything. Where no command may run, a contract that needs one can never
// be met, however much is spent on it.
import { assertNever } from '../../shared/assert-never.ts';
import type { Verification } from '../../shared/verification.ts';

export function needsCommands(verification: Verification): boolean {
  switch (verification.kind) {
    case 'all':
      return verification.of.some(needsCommands);
    case 'command':
    case 'rustCompiles':
    case 'rustTest':
    case 'nodeTest':
    case 'pythonTest':
    case 'goTest':
      return true;
    case 'none':
    case 'fileContains':
    case 'fileEquals':
    case 'matchesSchema':
      return false;
    default:
      return assertNever(verification);
  }
}
