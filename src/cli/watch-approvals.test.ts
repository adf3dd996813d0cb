import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fakeRequest, fakeRunId } from '../../test/cli/fake-request.ts';
import { watchApprovals } from './watch-approvals.ts';

const named = (name: string) => fakeRequest({ request: `${fakeRunId}:root:${name}` });
const [known, lapsed, late] = [named('1:0'), named('1:1'), named('2:0')];

describe('watchApprovals', () => {
  it('tells each new question once and each answer once, and nothing of what has lapsed', async () => {
    const looks = [[known, lapsed], [late, lapsed], [late]];
    const waiting = looks.values();
    const answered = { ...known, answer: { decision: 'approve', actor: 'person:ada@terminal', at: 5 } } as const;
    const told: unknown[] = [];
    await watchApprovals({
      engine: {
        listApprovals: async () => waiting.next().value ?? [],
        readApproval: async (request) => (request === known.request ? answered : lapsed),
      },
      runId: undefined,
      seen: [known, lapsed],
      write: (requests) => void told.push(...requests),
      looks: Readable.from(looks),
    });
    expect(told).toEqual([answered, late]);
  });
});
