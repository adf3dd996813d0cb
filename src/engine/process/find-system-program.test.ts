import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { findSystemProgram } from './find-system-program.ts';

describe('a program of the system', () => {
  it('is found in the directories of the system and never by PATH', () => {
    using directory = createTemporaryDirectory();
    for (const name of ['planted-tool', 'sh']) {
      directory.write(name, '#!/bin/sh\n');
      chmodSync(join(directory.path, name), 0o755);
    }
    const path = process.env.PATH;
    process.env.PATH = `${directory.path}:${path}`;
    try {
      expect([findSystemProgram('planted-tool'), findSystemProgram('sh')]).toEqual([
        null,
        expect.stringMatching(/^\/(usr\/)?bin\/sh$/),
      ]);
    } finally {
      process.env.PATH = path;
    }
  });
});
