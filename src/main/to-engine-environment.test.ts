import { expect, it } from 'vitest';
import { toEngineEnvironment } from './to-engine-environment.ts';

it('passes on what finds files and programs, and neither keys nor switches of Node', () => {
  expect(
    toEngineEnvironment({
      HOME: '/home/ada',
      PATH: '/usr/bin',
      OPENROUTER_API_KEY: 'secret',
      NODE_OPTIONS: '--require ./x.js',
      LANG: undefined,
    }),
  ).toEqual({ HOME: '/home/ada', PATH: '/usr/bin' });
});
