import { describe, expect, it } from 'vitest';
import { fakeRequest } from '../../test/cli/fake-request.ts';
import { chooseRequest, findRequest } from './find-request.ts';

const one = `run-${'0'.repeat(22)}`;
const other = `run-${'1'.repeat(22)}`;
const ids = [`${one}:root:3:0`, `${one}:root:13:0`, `${one}:root:3:0:2`, `${other}:root:4:1`];

describe('a request', () => {
  it.each([
    ['its whole id, although another begins with it', `${one}:root:3:0`, ids[0]],
    ['an end that only it has', '4:1', ids[3]],
    ['an end that begins where a part of the id does', '3:0', ids[0]],
    ['a beginning that only it has', other, ids[3]],
    ['an id that does not wait', `${one}:root:1:0`, `${one}:root:1:0`],
    ['a part that is no end', 'root', 'root'],
    ['nothing', '', ''],
  ])('is found by %s', (_what, text, expected) => {
    expect(chooseRequest(ids, text)).toBe(expected);
  });

  it.each([
    [one, `may be any of ${ids.slice(0, 3).join(', ')}.`],
    ['0', `may be any of ${ids.slice(0, 2).join(', ')}.`],
  ])('is not guessed from %j, which several have', (text, message) => {
    expect(() => chooseRequest(ids, text)).toThrow(message);
  });
});

describe('a request that does not wait', () => {
  const engine = (asked: string[]) => ({
    listApprovals: async () => [],
    readApproval: async (request: string) => {
      asked.push(request);
      return fakeRequest();
    },
  });

  it('is found by its whole id, since it may have been answered', async () => {
    const asked: string[] = [];
    await findRequest(engine(asked), `${one}:root:3:0`);
    expect(asked).toEqual([`${one}:root:3:0`]);
  });

  it.each(['3:0', '', 'nope', one])('is not found by %j, and the way out is said', async (text) => {
    await expect(findRequest(engine([]), text)).rejects.toMatchObject({
      code: 'approval-unknown',
      remedy:
        'List them with "io-studio approvals", in the --home that the run was started with; an answered one is found by its whole id.',
    });
  });
});
