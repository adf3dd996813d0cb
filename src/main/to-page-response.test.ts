import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy, toPageResponse } from './to-page-response.ts';

describe('toPageResponse', () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const pageFolder = join(folder, 'renderer');

  beforeAll(() => {
    mkdirSync(join(pageFolder, 'assets'), { recursive: true });
    mkdirSync(join(folder, 'renderer-secrets'));
    writeFileSync(join(pageFolder, 'index.html'), '<p>page</p>');
    writeFileSync(join(pageFolder, 'assets/a b.js'), 'run()');
    writeFileSync(join(pageFolder, 'key.pem'), 'secret');
    writeFileSync(join(folder, 'outside.html'), 'outside');
    writeFileSync(join(folder, 'renderer-secrets/index.html'), 'neighbour');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('serves a file of the page with its type and the content security policy', async () => {
    const response = await toPageResponse(pageFolder, 'app://window/assets/a%20b.js?x=1');
    expect({
      status: response.status,
      body: await response.text(),
      headers: Object.fromEntries(response.headers),
    }).toEqual({
      status: 200,
      body: 'run()',
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    });
  });

  it.each([
    ['another host', 'app://other/index.html'],
    ['a file that is not there', 'app://window/missing.html'],
    ['the folder itself', 'app://window/'],
    ['an encoded way out of the folder', 'app://window/..%2foutside.html'],
    ['a way into a folder whose name starts alike', 'app://window/..%2frenderer-secrets/index.html'],
    ['a path that cannot be decoded', 'app://window/%E0%A4%A.html'],
    ['a path with a null byte', 'app://window/index.html%00.html'],
    ['a kind of file that no page has', 'app://window/key.pem'],
  ])('answers 404 for %s', async (_title, url) => {
    const response = await toPageResponse(pageFolder, url);
    expect([response.status, await response.text()]).toEqual([404, 'Not found']);
  });
});
