import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEngineError } from '../shared/engine-error.ts';
import { driveOptions, homeOptions, parseCount, parseOptions, parseRunId, toRunSettings } from './parse-options.ts';

const runId = `run-${'0'.repeat(22)}`;
const drive = (...args: string[]) => toRunSettings(parseOptions(args, driveOptions).values);

describe('options', () => {
  it('say nothing about a run when none is given', () => {
    expect(Object.entries(drive()).filter(([, value]) => value !== undefined)).toEqual([]);
  });

  it('are taken in both spellings, and the last one of a kind counts', () => {
    const args = ['--model=a', '--model', 'b', '--provider', 'p', '--approve', 'model', '--reviewer=c'];
    const more = ['--policy', 'p.jsonc', '--minimum-isolation', 'caps-only', '--context-tokens=8000'];
    expect(drive(...args, ...more)).toEqual({
      model: 'b',
      provider: 'p',
      approve: 'model',
      reviewer: 'c',
      policyFile: resolve('p.jsonc'),
      minimumIsolation: 'caps-only',
      contextTokens: 8000,
    });
  });

  it('leave what is no option to the command', () => {
    const { values, positionals } = parseOptions([runId, '--json', '--home', '/h'], homeOptions);
    expect({ ...values, positionals }).toEqual({ json: true, home: '/h', positionals: [runId] });
  });

  it.each([
    ['an unknown option', () => drive('--modle', 'a'), /--modle/],
    ['an option without its value', () => drive('--model'), /--model/],
    ['a value where none belongs', () => drive('--json=yes'), /--json/],
    ['an option that looks like a value', () => drive('--approve', '--json'), /--approve/],
    [
      'an answer nobody knows',
      () => drive('--approve', 'yes'),
      /--approve takes ask, defer, all, deny, model, not "yes"/,
    ],
    ['an empty answer', () => drive('--approve='), /--approve takes/],
    [
      'an isolation nobody knows',
      () => drive('--minimum-isolation', 'none'),
      /takes isolated or caps-only, not "none"/,
    ],
    ['a window of nothing', () => drive('--context-tokens', '0'), /above 0, not "0"/],
    ['a negative window', () => drive('--context-tokens=-1'), /not "-1"/],
    ['half a token', () => drive('--context-tokens', '1.5'), /not "1.5"/],
    ['a window in words', () => drive('--context-tokens', '128k'), /not "128k"/],
    ['an empty number', () => parseCount('', 'steps'), /--steps takes a whole number/],
    ['a number that is not exact', () => parseCount('9007199254740993', 'steps'), /--steps/],
    ['a number without end', () => parseCount('Infinity', 'steps'), /--steps/],
    ['no run', () => parseRunId([], 'resume'), /"io-studio resume" takes one run id/],
    ['two runs', () => parseRunId([runId, runId], 'trace'), /"io-studio trace" takes one run id/],
    ['a run id that is none', () => parseRunId(['latest'], 'resume'), /"latest" is not a run id/],
  ])('refuse %s as a usage error that names it and the way out', (_what, parse, message) => {
    expect(catchError(parse)).toEqual({
      code: 'usage',
      message: expect.stringMatching(message),
      remedy: 'See "io-studio help".',
    });
  });

  it('know a run id by its shape', () => {
    expect(parseRunId([runId], 'resume')).toBe(runId);
  });
});

function catchError(parse: () => unknown) {
  try {
    return parse();
  } catch (error) {
    if (!isEngineError(error)) throw error;
    const { code, message, remedy } = error;
    return { code, message, remedy };
  }
}
