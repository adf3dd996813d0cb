import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkImports } from '../../scripts/check-imports.ts';
import { findCycles } from '../../scripts/find-cycles.ts';
import { importTable } from '../../scripts/import-table.ts';

const root = join(import.meta.dirname, '../..');
const planted: string[] = [];

afterEach(() => {
  for (const folder of planted.splice(0)) rmSync(folder, { recursive: true });
});

describe('the import check', () => {
  it('finds nothing wrong in this repository', () => {
    expect(runCheck(root)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('has a table whose places do not import each other in a circle', () => {
    const graph = new Map(importTable.map((row) => [row.place, new Set([...row.may, ...(row.mayUsePortsOf ?? [])])]));
    expect(findCycles(graph)).toEqual([]);
  });

  it.each<{ title: string; files: Record<string, string>; problems: string[] }>([
    {
      title: 'a package other than zod in shared',
      files: { 'shared/a.ts': "import { z } from 'zod';\n\nimport { watch } from 'chokidar';" },
      problems: ['src/shared/a.ts:3: shared may not import the package chokidar; it may import zod'],
    },
    {
      title: 'Node in a pure folder',
      files: { 'engine/policy/a.ts': "// first line\nexport { readFile } from 'node:fs/promises';" },
      problems: ['src/engine/policy/a.ts:2: engine/policy may not use Node, but imports node:fs/promises'],
    },
    {
      title: 'Node in the router',
      files: { 'engine/api/router.ts': "const { readFileSync } = await import('node:fs');" },
      problems: ['src/engine/api/router.ts:1: engine/api may not use Node, but imports node:fs'],
    },
    {
      title: 'a lower folder that imports a higher one, even for a type',
      files: { 'engine/journal/a.ts': "import type { Net } from '../net/net.ts';", 'engine/net/net.ts': 'export {};' },
      problems: [
        'src/engine/journal/a.ts:1: engine/journal may not import engine/net; it may import shared, engine/contract, ' +
          'engine/policy, engine/budget, engine/process',
      ],
    },
    {
      title: 'an adapter used past its port',
      files: {
        'engine/tool/a.ts': "import '../sandbox/sandbox.ts';\nimport { run } from '../sandbox/floor-sandbox.ts';",
      },
      problems: [
        'src/engine/tool/a.ts:2: engine/tool may use engine/sandbox only through its port, not engine/sandbox/floor-sandbox.ts',
      ],
    },
    {
      title: 'a value of the router in the page, where a type is allowed',
      files: {
        'renderer/a.tsx': "import type { Router } from '../engine/api/router.ts';\nexport const page = <br />;",
        'renderer/b.ts': "import { type Router } from '../engine/api/router.ts';",
      },
      problems: ['src/renderer/b.ts:1: renderer may import only types from engine/api/router.ts'],
    },
    {
      title: 'the engine in the preload script, through an import type',
      files: { 'preload/a.ts': "type Run = import('../engine/run/run.ts').Run;" },
      problems: ['src/preload/a.ts:1: preload may not import engine/run; it may import shared'],
    },
    {
      title: 'Electron in the engine',
      files: { 'engine/run/a.ts': "import type { App } from 'electron';", 'engine/utility.ts': "import 'electron';" },
      problems: ['src/engine/run/a.ts:1: only main, preload, engine/utility.ts may import electron, not engine/run'],
    },
    {
      title: 'a reserved module outside its one owner',
      files: {
        'engine/sandbox/a.ts': "import { spawn } from 'node:child_process';",
        'engine/provider/a.ts': "import { request } from 'undici';\nimport { get } from 'node:https';",
        'cli/a.ts': "const sqlite = require('better-sqlite3');",
        'engine/process/a.ts': "import { spawn } from 'node:child_process';",
      },
      problems: [
        'src/cli/a.ts:1: only engine/journal may import better-sqlite3, not cli',
        'src/engine/provider/a.ts:1: only engine/net may import undici, not engine/provider',
        'src/engine/provider/a.ts:2: only engine/net, engine/serve may import node:https, not engine/provider',
        'src/engine/sandbox/a.ts:1: only engine/process may import node:child_process, not engine/sandbox',
      ],
    },
    {
      title: 'an import that cannot be checked',
      files: { 'cli/a.ts': "import '../../test/a.ts';\nimport 'fs';\nawait import(name);" },
      problems: [
        'src/cli/a.ts:1: ../test/a.ts is outside the source folder',
        'src/cli/a.ts:2: write node:fs for a module of Node',
        'src/cli/a.ts:3: the imported module is computed and cannot be checked',
      ],
    },
    {
      title: 'a folder that the table does not know',
      files: { 'plugin/a.ts': "\n\nimport '../shared/id.ts';" },
      problems: ['src/plugin/a.ts:3: lies in no place of scripts/import-table.ts'],
    },
    {
      title: 'files that import each other in a circle',
      files: {
        'shared/a.ts': "import { z } from 'zod';\nimport { b } from './b.ts';",
        'shared/b.ts': "export * from './c.ts';",
        'shared/c.ts': "import type { A } from './a.ts';",
      },
      problems: ['src/shared/a.ts:2: import cycle: shared/a.ts -> shared/b.ts -> shared/c.ts -> shared/a.ts'],
    },
    {
      title: 'folders that import each other in a circle, file by file in none',
      files: {
        'engine/run/left/a.ts': "import '../right/a.ts';\nimport '../run.ts';",
        'engine/run/right/a.ts': 'export {};',
        'engine/run/right/b.ts': "import '../left/b.ts';",
        'engine/run/left/b.ts': 'export {};',
        'engine/run/run.ts': "import './left/b.ts';",
      },
      problems: ['src/engine/run/left/a.ts:1: import cycle: engine/run/left -> engine/run/right -> engine/run/left'],
    },
    {
      title: 'no import in a comment, a string or a test file',
      files: {
        'shared/a.ts': "// import 'electron';\nexport const text = `import x from 'undici'`;",
        'shared/a.test.ts': "import 'electron';",
      },
      problems: [],
    },
  ])('names the line and the rule: $title', ({ files, problems }) => {
    const found = checkImports(join(plant(files), 'src'));
    expect(found.map(({ file, line, rule }) => `src/${file}:${line}: ${rule}`)).toEqual(problems);
  });

  it('prints each problem and ends with code 1', () => {
    const folder = plant({ 'shared/a.ts': "\nimport 'electron';", 'shared/b.ts': "import 'undici';" });
    expect(runCheck(folder)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'src/shared/a.ts:2: shared may not import the package electron; it may import zod\n' +
        'src/shared/b.ts:1: shared may not import the package undici; it may import zod\n',
    });
  });
});

function plant(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'import-check-'));
  planted.push(folder);
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, 'src', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return folder;
}

function runCheck(folder: string): { status: number | null; stdout: string; stderr: string } {
  const script = join(root, 'scripts/check-imports.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'src'], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}
