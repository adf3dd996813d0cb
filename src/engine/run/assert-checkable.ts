// A contract whose check runs something is not begun where nothing may run: it could only be paid for and never be met.
import { EngineError } from '../../shared/engine-error.ts';
import type { TaskContract } from '../../shared/task-contract.ts';
import { needsCommands } from '../contract/needs-commands.ts';
import type { ProbedSandbox } from '../sandbox/select-sandbox.ts';

/** Throws `sandbox-unavailable`. */
export async function assertCheckable(
  { verification }: Pick<TaskContract, 'verification'>,
  sandbox: Pick<ProbedSandbox, 'findObstacle'>,
): Promise<void> {
  if (!needsCommands(verification)) return;
  const obstacle = await sandbox.findObstacle();
  if (obstacle === null) return;
  const { reason, advice } = obstacle;
  const remedy = `${advice === null ? '' : `${advice}\n`}See "io-studio doctor". With --minimum-isolation caps-only commands run without enclosure, with the rights of whoever starts the engine.`;
  throw new EngineError('sandbox-unavailable', `The check of this contract runs a command, and ${reason}.`, { remedy });
}
