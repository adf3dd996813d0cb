import { describe, expect, it, type TestContext } from 'vitest';
import { type Enclosure, probeExpectations } from '../expectations.ts';
import { expectEnds, expectReached, findEnds, findReached, type Ran } from './compare.ts';
import { findOddAnswers, findOddCaps } from './compare-details.ts';
import type { HostileReport } from './report.ts';
import { type Engine, runRound } from './run-rounds.ts';

const roundMs = 240_000;
const engines: readonly Engine[] = ['user', 'superuser'];

/** One round each, however many tests look at it; those of both engines run side by side, because each waits a lot. */
const rounds = new Map<string, Promise<HostileReport>>();

async function ran(test: TestContext, backend: Enclosure['backend'] | 'plainly', engine: Engine): Promise<Ran> {
  for (const each of engines) {
    const key = `${backend} ${each}`;
    if (!rounds.has(key)) rounds.set(key, runRound(backend, each));
  }
  const report = await rounds.get(`${backend} ${engine}`);
  if (report?.kind !== 'ran') return test.skip(`not run: ${report?.reason}`);
  return report;
}

describe.each(engines)('without a sandbox, as %s', (engine) => {
  it('every hostile program gets through that this user could stop from nothing', {
    timeout: roundMs,
  }, async (test) => {
    const report = await ran(test, 'plainly', engine);
    const reached = new Set(findReached(report).plainly);
    const should = Object.entries(probeExpectations)
      .filter(([, { control }]) => control === 'anybody' || (control === 'superuser' && engine === 'superuser'))
      .map(([name]) => name);
    expect(should.filter((name) => !reached.has(name))).toEqual([]);
  });
});

describe.each(engines)('under bubblewrap, started by %s', (engine) => {
  holdsWhatIsPromised({ backend: 'bwrap', engine });

  it('what fails is answered in each of the numbered cases as the case says', { timeout: roundMs }, async (test) => {
    expect(findOddAnswers(await ran(test, 'bwrap', engine))).toEqual([]);
  });
});

describe.each(engines)('under Landlock, started by %s', (engine) => {
  holdsWhatIsPromised({ backend: 'landlock', engine });
});

function holdsWhatIsPromised(enclosure: Enclosure): void {
  const report = (test: TestContext) => ran(test, enclosure.backend, enclosure.engine);

  it('a hostile program gets through where the table says so and nowhere else', { timeout: roundMs }, async (test) => {
    expect(findReached(await report(test))).toEqual(expectReached(enclosure));
  });

  it('what uses too much or refuses to end is stopped by the cap that the table names', {
    timeout: roundMs,
  }, async (test) => {
    const expected = expectEnds(enclosure);
    expect(findEnds(await report(test), expected)).toEqual(expected);
    expect(findOddCaps(await report(test), enclosure)).toEqual([]);
  });

  it('nothing of a command is left when its engine was killed, nor of its directories', {
    timeout: roundMs,
  }, async (test) => {
    const { kill, leftDirectories } = await report(test);
    expect({ kill, leftDirectories }).toEqual({
      kill: { processes: 0, entries: expect.any(Number), entriesAfterSweep: [] },
      leftDirectories: [],
    });
    expect(kill?.entries).toBeGreaterThan(0);
  });
}

describe.each(engines)('at the floor, started by %s', (engine) => {
  const enclosure: Enclosure = { backend: 'none', engine };

  it('no hostile program gets through that the table promises to keep in', { timeout: roundMs }, async (test) => {
    const reached = findReached(await ran(test, 'none', engine));
    const expected = expectReached(enclosure);
    const excess = Object.entries(reached).map(([mode, names]) => [
      mode,
      names === null ? null : names.filter((name) => expected[mode]?.includes(name) !== true),
    ]);
    expect(Object.fromEntries(excess)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([mode, names]) => [mode, names === null ? null : []])),
    );
  });

  it('what uses too much or refuses to end is stopped by the cap that the table names', {
    timeout: roundMs,
  }, async (test) => {
    const expected = expectEnds(enclosure);
    expect(findEnds(await ran(test, 'none', engine), expected)).toEqual(expected);
    expect(findOddCaps(await ran(test, 'none', engine), enclosure)).toEqual([]);
  });
});
