import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readImports } from '../../scripts/read-imports.ts';

const root = join(import.meta.dirname, '../..');

describe('the built bundles', () => {
  beforeAll(() => {
    execFileSync(join(root, 'scripts/setup'), ['demo']);
  });

  it.each(['engine', 'cli', 'library', 'journal-worker'])('%s runs in plain Node: it reaches no Electron', (entry) => {
    expect(findExternals(join(root, 'out/main', `${entry}.js`))).not.toContain('electron');
  });

  it('main reaches Electron, and no database', () => {
    const externals = findExternals(join(root, 'out/main/main.js'));
    expect([externals.includes('electron'), externals.includes('better-sqlite3')]).toEqual([true, false]);
  });

  it('preload is one file that requires only electron', () => {
    expect(readdirSync(join(root, 'out/preload'))).toEqual(['index.cjs']);
    expect(findExternals(join(root, 'out/preload/index.cjs'))).toEqual(['electron']);
  });

  it('the page loads only its own files, and they reach nothing outside themselves', () => {
    const page = readFileSync(join(root, 'out/renderer/index.html'), 'utf8');
    const loaded = [...page.matchAll(/<script[^>]*>|(?:src|href)="[^"]*"/g)].map(([text]) => text);
    expect(loaded.filter((text) => !/="\.\/assets\//.test(text))).toEqual([]);
    const scripts = readdirSync(join(root, 'out/renderer/assets'))
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(root, 'out/renderer/assets', file));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.flatMap(findExternals)).toEqual([]);
    // The bundler puts an empty stub of this name in place of a module of Node.
    expect(scripts.filter((file) => /vite.browser.external/.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});

/** Every module that the bundle and its chunks import and that is not one of them. */
function findExternals(entry: string): string[] {
  const seen = new Set<string>();
  const externals = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { specifier } of readImports(file, readFileSync(file, 'utf8'))) {
      if (specifier?.startsWith('.')) visit(join(dirname(file), specifier));
      else if (specifier !== null) externals.add(specifier);
    }
  };
  visit(entry);
  return [...externals].sort();
}
