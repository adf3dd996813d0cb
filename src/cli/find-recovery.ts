// Which interrupted call a person means: its id, or as much of either end of it as makes it the only one that waits.
import { type Engine, EngineError, type RecoveryRequest } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { chooseRequest } from './find-request.ts';

/** Throws `usage` where several fit, and `recovery-unknown` where none does. */
export async function findRecovery(
  engine: Pick<Engine, 'listRecoveries' | 'readRecovery'>,
  text: string,
): Promise<RecoveryRequest> {
  const ids = (await engine.listRecoveries()).map(({ request }) => request);
  const chosen = chooseRequest(ids, text);
  if (!ids.includes(chosen) && !isWhole.test(chosen)) throw unknown(text);
  return engine.readRecovery(chosen);
}

const isWhole = /^run-[^:]+:.+:\d+:\d+:recovery/;

const unknown = (text: string): EngineError =>
  new EngineError('recovery-unknown', `No interrupted call that waits is called "${toVisible(text)}" or ends so.`, {
    remedy: 'List them with "io-studio recoveries", in the --home that the run was started with.',
  });
