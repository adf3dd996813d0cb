import { describe, expect, it } from 'vitest';
import { AgentId, BlobHash } from '../../../shared/id.ts';
import { emptyLabel } from '../../../shared/provenance.ts';
import type { AgentState, Mail } from '../../../shared/run-state.ts';
import { startAgent } from '../../../shared/start-run-state.ts';
import { findMailboxFault, takeMail } from './mailbox.ts';

const hash = BlobHash.parse('a'.repeat(64));
const blob = { hash, bytes: 1, origin: 'engine' } as const;
const agentId = AgentId.parse('root/1.0');

const toMail = (bytes: number): Mail => ({
  from: AgentId.parse('root'),
  content: { hash, bytes, origin: 'agent' },
  label: emptyLabel(),
});

function holding(...sizes: readonly number[]): AgentState {
  const agent = startAgent({ agentId, system: blob, prompt: blob, label: emptyLabel(), assignment: null });
  return { ...agent, mailbox: sizes.map(toMail) };
}

describe('what is told of a mailbox at once', () => {
  it.each([
    ['all of it where it fits', [10_000, 10_000], 2],
    ['as many of the oldest as fit', [10_000, 10_000, 10_000], 2],
    ['one that alone takes all the room', [24 * 1024, 1], 1],
    ['no more than a result has room for the names of', Array.from({ length: 100 }, () => 1), 20],
    ['nothing of an empty one', [], 0],
  ])('is %s', (_title, sizes, told) => {
    expect(takeMail(holding(...sizes))).toHaveLength(told);
  });
});

describe('a message for a mailbox', () => {
  it.each([
    ['that is nearly full', holding(...Array.from({ length: 99 }, () => 1)), 100, null],
    [
      'that holds as many as may',
      holding(...Array.from({ length: 100 }, () => 1)),
      1,
      'the mailbox of root/1.0 is full, and it has to read first: 100 messages wait there, which is as many as may.',
    ],
    [
      'that holds as many bytes as may',
      holding(512 * 1024 - 1),
      2,
      'the mailbox of root/1.0 is full, and it has to read first: 1 of 524288 bytes are left, and this message has 2.',
    ],
    [
      'that could not be told in one piece',
      holding(),
      24 * 1024 + 1,
      'a message has at most 24576 bytes, and this one 24577.',
    ],
  ])('is judged by what waits there: one %s', (_title, agent, bytes, fault) => {
    expect(findMailboxFault(agent, bytes)).toBe(fault);
  });
});
