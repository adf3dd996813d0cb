import { describe, expect, it } from 'vitest';
import type { JudgedAct, PathAct } from '../../shared/act.ts';
import { composePolicy } from '../policy/compose-policy.ts';
import { judgeContents } from './judge-contents.ts';
import { judgeResolved } from './judge-resolved.ts';

const rules = [
  { act: 'read', effect: 'allow', pattern: '*' },
  { act: 'read', effect: 'ask', pattern: 'd/asked-*' },
  { act: 'read', effect: 'deny', pattern: 'd/denied' },
  { act: 'read', effect: 'deny', pattern: 'closed' },
] as const;
const policy = composePolicy([
  { origin: 'user', file: null, policy: { layers: [{ name: 'own', rules: [...rules] }] } },
]);
const stance = { policy, isTainted: false, isolation: 'none' };

function judge(target: string) {
  const act: PathAct = { kind: 'read', target, real: target, letterCase: 'exact', outside: false };
  return { ...judgeResolved({ act, refusal: null }, stance), act };
}

/** What comes of a directory with these names in it, and how many of them were looked at. */
async function judgeWith(names: readonly string[], { top = 'd', maxEntries = 100 } = {}) {
  let looked = 0;
  async function* look(): AsyncGenerator<readonly JudgedAct[]> {
    for (const name of names) {
      looked += 1;
      yield [judge(`d/${name}`)];
    }
  }
  const contents = { entries: look(), maxEntries, tooMany: 'there is too much in it', denied: 'some of it is denied' };
  const [first, ...asked] = await judgeContents(judge(top), contents, stance);
  return {
    effect: first.verdict.effect,
    because: first.verdict.because,
    asked: asked.map(({ act }) => act.target),
    looked,
  };
}

const listNames = (prefix: string, length: number) => Array.from({ length }, (_, index) => `${prefix}${index}`);

describe('what lies in a directory', () => {
  it('leaves the verdict on it as it is where nothing there is judged otherwise', async () => {
    expect(await judgeWith(['a', 'b'])).toMatchObject({ effect: 'allow', asked: [], looked: 2 });
  });

  it('denies it where one thing is denied, which is not named, and is looked at no further', async () => {
    const judged = await judgeWith(['asked-0', 'denied', 'c']);
    expect(judged).toMatchObject({ effect: 'deny', asked: [], looked: 2 });
    expect(judged.because).toMatch(/^read of "d" is denied: some of it is denied$/);
  });

  it('denies it where there is more than anybody looks through', async () => {
    const names = listNames('a', 50);
    const [all, more] = [await judgeWith(names, { maxEntries: 50 }), await judgeWith(names, { maxEntries: 10 })];
    expect([all, more]).toMatchObject([
      { effect: 'allow', looked: 50 },
      { effect: 'deny', because: expect.stringContaining('there is too much in it'), looked: 11 },
    ]);
  });

  it('is asked about beside it, the first twenty of many', async () => {
    const { asked } = await judgeWith(listNames('asked-', 30));
    expect(asked).toEqual(listNames('d/asked-', 20));
  });

  it('is not looked at where it is denied itself', async () => {
    expect(await judgeWith(['a'], { top: 'closed' })).toMatchObject({ effect: 'deny', looked: 0 });
  });
});
