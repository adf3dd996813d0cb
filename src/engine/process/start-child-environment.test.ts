import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { startChild } from './start-child.ts';

/** What loads code into programs, sends them elsewhere or changes what git, Python, perl and shells do. */
const dangerous = [
  ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'NODE_PATH'],
  ...['GIT_DIR', 'GIT_SSH_COMMAND', 'GIT_CONFIG_GLOBAL', 'GIT_EXTERNAL_DIFF', 'BASH_ENV', 'ENV', 'PROMPT_COMMAND'],
  ...['PERL5LIB', 'PERL5OPT', 'PERLLIB', 'PYTHONPATH', 'PYTHONSTARTUP', 'PYTHONHOME', 'RUBYOPT', 'SSH_AUTH_SOCK'],
];

describe('a child that the engine starts', () => {
  it('inherits no variable at all, least of all one that would change what a helper does', async () => {
    const before = { ...process.env };
    for (const name of dangerous) process.env[name] = '/planted';
    try {
      const child = await startChild({
        argv: ['/usr/bin/env'],
        directory: tmpdir(),
        environment: {},
        identity: null,
        descriptors: [],
      });
      if (child.kind === 'failed') throw new Error(child.reason);
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk) => chunks.push(chunk));
      await child.closed;
      child.release();
      expect([await child.exited, Buffer.concat(chunks).toString()]).toEqual([{ code: 0, signal: null }, '']);
    } finally {
      for (const name of dangerous) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});
