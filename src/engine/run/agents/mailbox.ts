// What waits for an agent to read it: how much of it there may be, and how much is told at once. One that nobody empties is
// full some day, and whoever writes to it is told so.
import { isWithin } from '../../../shared/agent-tree.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { AgentState, Mail } from '../../../shared/run-state.ts';

const maxMessages = 100;
const maxBytes = 512 * 1024;

/** Together with the names of the senders they fit into one result. */
const maxTogetherBytes = 24 * 1024;

/** Why a text of so many bytes cannot be put there; null where it can. */
export function findMailboxFault({ agentId, mailbox }: AgentState, bytes: number): string | null {
  if (bytes > maxTogetherBytes) return `a message has at most ${maxTogetherBytes} bytes, and this one ${bytes}.`;
  const full = `the mailbox of ${agentId} is full, and it has to read first`;
  if (mailbox.length >= maxMessages) return `${full}: ${mailbox.length} messages wait there, which is as many as may.`;
  const left = maxBytes - measure(mailbox);
  return bytes <= left ? null : `${full}: ${left} of ${maxBytes} bytes are left, and this message has ${bytes}.`;
}

/** The oldest, as many as one result holds: the others wait for the next call. */
export function takeMail({ mailbox }: AgentState): readonly Mail[] {
  let bytes = 0;
  const end = mailbox.findIndex(({ content }) => {
    bytes += content.bytes;
    return bytes > maxTogetherBytes;
  });
  return mailbox.slice(0, end === -1 ? maxTold : Math.min(Math.max(end, 1), maxTold));
}

/** As each names its sender, whose name may be long. */
const maxTold = 20;

const measure = (mailbox: readonly Mail[]): number => mailbox.reduce((bytes, { content }) => bytes + content.bytes, 0);

/** Whether the agent does nothing before the sender has ended, so that no answer can come. */
export function waitsFor({ phase }: AgentState, sender: AgentId): boolean {
  const calls = phase.kind === 'acting' ? phase.calls : [];
  return calls.some(
    ({ stage }) =>
      stage.kind === 'held' &&
      stage.until.kind === 'agents' &&
      stage.until.agents.some((agentId) => isWithin(sender, agentId)),
  );
}
