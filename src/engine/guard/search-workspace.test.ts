import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { defaultPolicy } from '../policy/default-policy.ts';
import type { Layer } from '../policy/policy.ts';

const { signal } = new AbortController();
const query = (pattern: string, fields: { path?: string; glob?: string } = {}) => ({
  pattern,
  path: fields.path ?? null,
  glob: fields.glob ?? null,
});

describe('finding files', () => {
  it('respects .gitignore without a repository, includes hidden files and leaves out .git', async () => {
    await using workspace = await openGuardedWorkspace();
    for (const path of ['src/a.ts', '.github/ci.yml', '.git/config', 'out/a.ts', 'deep/.gitignore', 'deep/x.log']) {
      workspace.write(path, path.endsWith('.gitignore') ? '*.log' : '');
    }
    workspace.write('.gitignore', 'out/');
    expect(await workspace.files.find('**/*', signal)).toEqual({
      kind: 'found',
      items: ['.github/ci.yml', '.gitignore', 'deep/.gitignore', 'src/a.ts'],
      more: false,
    });
  });

  it('does not let a glob bring back what .gitignore leaves out', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.gitignore', '*.js');
    workspace.write('a.js', 'needle');
    workspace.write('a.ts', 'needle');
    const { files } = workspace;
    expect([await files.find('a.*', signal), await files.grep(query('needle', { glob: '*.js' }), signal)]).toEqual([
      { kind: 'found', items: ['a.ts'], more: false },
      { kind: 'found', items: [], more: false },
    ]);
  });

  it('stops at 1,000 and says that there are more, neither naming nor counting what is denied', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('zz.key', '');
    workspace.write('.env', '');
    for (let number = 1000; number < 2000; number++) writeFileSync(join(workspace.path, `${number}.txt`), '');
    const full = await workspace.files.find('*', signal);
    workspace.write('zzz.txt', '');
    const over = await workspace.files.find('*', signal);
    expect(
      [full, over].map((found) => found.kind === 'found' && [found.items.length, found.items[999], found.more]),
    ).toEqual([
      [1000, '1999.txt', false],
      [1000, '1999.txt', true],
    ]);
  }, 30_000);
});

describe('searching lines', () => {
  it('gives path, line and text, in the order of the paths', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('b.txt', 'x\r\nneedle: 1\r\n');
    workspace.write('a/c.txt', 'needle 2');
    expect(await workspace.files.grep(query('needle'), signal)).toEqual({
      kind: 'found',
      items: [
        { path: 'a/c.txt', line: 1, text: 'needle 2' },
        { path: 'b.txt', line: 2, text: 'needle: 1' },
      ],
      more: false,
    });
  });

  it('narrows to a path, to a file and to a glob', async () => {
    await using workspace = await openGuardedWorkspace();
    for (const path of ['a/one.ts', 'a/one.js', 'b/one.ts']) workspace.write(path, 'needle');
    const paths = async (fields: { path?: string; glob?: string }) => {
      const found = await workspace.files.grep(query('needle', fields), signal);
      return found.kind === 'found' ? found.items.map(({ path }) => path) : found.reason;
    };
    expect([
      await paths({ path: 'a' }),
      await paths({ path: 'b/one.ts' }),
      await paths({ glob: '*.ts' }),
      await paths({ path: 'a', glob: 'a/*.js' }),
      await paths({ path: 'none' }),
    ]).toEqual([
      ['a/one.js', 'a/one.ts'],
      ['b/one.ts'],
      ['a/one.ts', 'b/one.ts'],
      ['a/one.js'],
      'there is nothing that can be searched at "none"',
    ]);
  });

  it('neither shows nor counts the lines of a file whose read is denied', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'needle\n'.repeat(500));
    workspace.write('a.txt', 'needle\n'.repeat(199));
    workspace.write('z.txt', 'needle');
    const found = await workspace.files.grep(query('needle'), signal);
    expect(found.kind === 'found' && [found.items.length, found.more, found.items.at(-1)]).toEqual([
      200,
      false,
      { path: 'z.txt', line: 1, text: 'needle' },
    ]);
  });

  it('shows no line of a file that must be asked for, unless the search itself was', async () => {
    const layer = (pattern: string): Layer => ({
      name: 'own',
      origin: 'user',
      rules: [{ act: 'read', effect: 'ask', pattern }],
      remedy: '',
    });
    await using some = await openGuardedWorkspace({ ...defaultPolicy, layers: [layer('private/*')] });
    await using all = await openGuardedWorkspace({ ...defaultPolicy, layers: [layer('*')] });
    const paths = async ({ write, files }: GuardedWorkspace) => {
      write('private/a.txt', 'needle');
      write('open.txt', 'needle');
      const found = await files.grep(query('needle'), signal);
      return found.kind === 'found' && found.items.map(({ path }) => path);
    };
    expect([await paths(some), await paths(all)]).toEqual([['open.txt'], ['open.txt', 'private/a.txt']]);
  });

  it('opens no file that asks by another rule than the one that was answered', async () => {
    const ask = (pattern: string): Layer => ({
      name: pattern,
      origin: 'user',
      rules: [{ act: 'read', effect: 'ask', pattern }],
      remedy: '',
    });
    await using workspace = await openGuardedWorkspace({ ...defaultPolicy, layers: [ask('.'), ask('private/*')] });
    workspace.write('private/a.txt', 'needle');
    workspace.write('open.txt', 'needle');
    const unasked = workspace.guard.files(workspace.stance, 'allow');
    expect([
      await workspace.files.grep(query('needle'), signal),
      await workspace.files.grep(query('needle', { path: 'private/a.txt' }), signal),
      await unasked.grep(query('needle', { path: 'private/a.txt' }), signal),
    ]).toEqual([
      { kind: 'found', items: [{ path: 'open.txt', line: 1, text: 'needle' }], more: false },
      { kind: 'found', items: [{ path: 'private/a.txt', line: 1, text: 'needle' }], more: false },
      { kind: 'failed', reason: 'there is nothing that can be searched at "private/a.txt"' },
    ]);
  });

  it.each([
    ['a\n./.env', 'needle'],
    ['a\n./.env\0', 'needle'],
    ['x: binary file matches (found "\\0" byte around offset 1)\n./open.txt', 'needle of another file'],
    ['a\n./open.txt', 'needle of another file'],
  ])('shows no line under a path that the name %j forges', async (name, content) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'KEY=secret needle');
    workspace.write('open.txt', 'first\nneedle');
    workspace.write(name.replace('\0', ''), content);
    const found = await workspace.files.grep(query('needle'), signal);
    const lines = found.kind === 'found' ? found.items.map(({ path, line, text }) => `${path}:${line}:${text}`) : [];
    const forged = lines.filter((line) => line.includes('secret') || line.includes('of another file'));
    expect({ forged, isFound: lines.includes('open.txt:2:needle') }).toEqual({ forged: [], isFound: true });
  });

  it('counts and shows the lines of UTF-16 and of a byte order mark as the search does', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('le.txt', Buffer.from('\uFEFFeins\r\nneedle 😀\r\n', 'utf16le'));
    workspace.write('be.txt', Buffer.from('\uFEFFone\nneedle', 'utf16le').swap16());
    workspace.write('bom.txt', '\uFEFFneedle\n');
    expect(await workspace.files.grep(query('^needle'), signal)).toEqual({
      kind: 'found',
      items: [
        { path: 'be.txt', line: 2, text: 'needle' },
        { path: 'bom.txt', line: 1, text: 'needle' },
        { path: 'le.txt', line: 2, text: 'needle 😀' },
      ],
      more: false,
    });
  });

  it('shows the lines of a file of many pieces', async () => {
    await using workspace = await openGuardedWorkspace();
    const lines = Array.from({ length: 100_000 }, (_, at) =>
      at % 30_000 === 29_999 ? `needle ${at}` : `line ${at} ${'x'.repeat(20)}`,
    );
    workspace.write('large.txt', lines.join('\n'));
    const found = await workspace.files.grep(query('^needle'), signal);
    expect(found).toMatchObject({
      items: [29_999, 59_999, 89_999].map((at) => ({ path: 'large.txt', line: at + 1, text: `needle ${at}` })),
    });
  });

  it('says nothing of what stands in an ignore file that is denied', async () => {
    await using workspace = await openGuardedWorkspace({
      ...defaultPolicy,
      layers: [
        { name: 'own', origin: 'user', rules: [{ act: 'read', effect: 'deny', pattern: '.ignore' }], remedy: '' },
      ],
    });
    workspace.write('.ignore', 'very-secret-[');
    workspace.write('a.txt', 'needle');
    const results = [
      await workspace.files.grep(query('needle'), signal),
      await workspace.files.grep(query('('), signal),
    ];
    expect([JSON.stringify(results).includes('very-secret'), results[0]]).toMatchObject([false, { kind: 'found' }]);
  });

  it('denies a search in a denied file outright', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'needle');
    expect(await workspace.files.grep(query('needle', { path: '.env' }), signal)).toEqual({
      kind: 'failed',
      reason: 'there is nothing that can be searched at ".env"',
    });
  });

  it.each(['--files', '-e', '--pre=touch x', '-'])('takes the pattern %j for a pattern', async (pattern) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', `before ${pattern} after`);
    expect(await workspace.files.grep(query(pattern), signal)).toMatchObject({
      kind: 'found',
      items: [{ path: 'a.txt', line: 1 }],
    });
  });

  it('takes a path that looks like an option for a path', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('--files/a.txt', 'needle');
    expect(await workspace.files.grep(query('needle', { path: '--files' }), signal)).toMatchObject({
      items: [{ path: '--files/a.txt', line: 1 }],
    });
  });

  it('fails with what ripgrep says about a bad pattern', async () => {
    await using workspace = await openGuardedWorkspace();
    const found = await workspace.files.grep(query('('), signal);
    expect(found).toEqual({ kind: 'failed', reason: expect.stringContaining('unclosed group') });
  });

  it('cuts a line of megabytes and reads bytes that are not UTF-8', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('long.txt', `needle${'x'.repeat(5_000_000)}`);
    workspace.write('old.txt', Buffer.from('caf\xe9 needle', 'latin1'));
    expect(await workspace.files.grep(query('needle'), signal)).toEqual({
      kind: 'found',
      items: [
        { path: 'long.txt', line: 1, text: `needle${'x'.repeat(494)} [cut]` },
        { path: 'old.txt', line: 1, text: 'café needle' },
      ],
      more: false,
    });
  });

  it('stops at 200 lines and says that there are more', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'needle\n'.repeat(100_000));
    const found = await workspace.files.grep(query('needle'), signal);
    expect(found.kind === 'found' && [found.items.length, found.more]).toEqual([200, true]);
  });

  it('is not held up by a pipe in the workspace', async () => {
    await using workspace = await openGuardedWorkspace();
    execFileSync('mkfifo', [join(workspace.path, 'pipe')]);
    workspace.write('a.txt', 'needle');
    const { files } = workspace;
    expect([await files.grep(query('needle'), signal), await files.grep(query('x', { path: 'pipe' }), signal)]).toEqual(
      [
        { kind: 'found', items: [{ path: 'a.txt', line: 1, text: 'needle' }], more: false },
        { kind: 'failed', reason: 'there is nothing that can be searched at "pipe"' },
      ],
    );
  });

  it('ends when it is cancelled', async () => {
    await using workspace = await openGuardedWorkspace();
    const found = await workspace.files.grep(query('needle'), AbortSignal.abort());
    expect(found).toEqual({ kind: 'failed', reason: 'the search was cancelled' });
  });
});
