// Which request a person means: its id, or as much of either end of it as makes it the only one that waits.
import { type ApprovalRequest, type Engine, EngineError } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { usage } from './parse-options.ts';

/** Throws `usage` where several fit, and `approval-unknown` where none does. */
export async function findRequest(
  engine: Pick<Engine, 'listApprovals' | 'readApproval'>,
  text: string,
): Promise<ApprovalRequest> {
  const waiting = await engine.listApprovals();
  const ids = waiting.map(({ request }) => request);
  const chosen = chooseRequest(ids, text);
  if (!ids.includes(chosen) && !isWhole.test(chosen)) throw unknown(text);
  return engine.readApproval(chosen);
}

const isWhole = /^run-[^:]+:.+:\d+:\d+/;

const unknown = (text: string): EngineError =>
  new EngineError('approval-unknown', `No question that waits is called "${toVisible(text)}" or has that at one end.`, {
    remedy:
      'List them with "io-studio approvals", in the --home that the run was started with; an answered one is found by its whole id.',
  });

/** The one id that is meant; the text itself where none waits that could be, since it may have been answered before. */
export function chooseRequest(ids: readonly string[], text: string): string {
  if (text === '' || ids.includes(text)) return text;
  const [found, ...others] = ids.filter((id) => id.startsWith(text) || isTail(id, text));
  if (others.length === 0) return found ?? text;
  const named = [found, ...others].map((id) => toVisible(id ?? '')).join(', ');
  throw usage(`"${toVisible(text)}" may be any of ${named}.`);
}

/** An end that begins where a part of the id begins: `3:0` is no end of `13:0`. */
const isTail = (id: string, text: string): boolean =>
  id.endsWith(text) && /[^a-z0-9]$/i.test(id.slice(0, -text.length));
