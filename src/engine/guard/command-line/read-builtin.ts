// Finds out whether a command is a builtin that has to be read in a way of its own.
import { addOpaque, type BuiltinCall } from './builtin-call.ts';
import { anywhere, type Ending } from './directories.ts';
import { runningBuiltins } from './running-builtins.ts';
import { settingBuiltins, uncertainBuiltins } from './setting-builtins.ts';
import type { Shell } from './shell.ts';
import { literalValue } from './word.ts';

/** How it ends when the first word is such a builtin; null for everything else. */
export function readBuiltin(shell: Shell, call: BuiltinCall): Ending | null {
  const name = literalValue(call.words[0]) ?? '';
  const reason = uncertainBuiltins.get(name);
  if (reason !== undefined) {
    addOpaque(shell, call, reason);
    return anywhere;
  }
  return (runningBuiltins.get(name) ?? settingBuiltins.get(name))?.(shell, call) ?? null;
}
