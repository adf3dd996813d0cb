import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

describe('grep', () => {
  it('gives path, line and text', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('src/a.ts', 'one\n  needle()\n');
    workspace.write('src/b.js', 'needle');
    expect(await workspace.call('grep', { pattern: 'needle\\b', path: 'src', glob: '*.ts' })).toEqual({
      status: 'ok',
      text: 'src/a.ts:2:   needle()',
    });
  });

  it('says that nothing was found, also where only a denied file would match', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'needle');
    expect(await workspace.call('grep', { pattern: 'needle' })).toEqual({
      status: 'ok',
      text: 'No line matches "needle".',
    });
  });

  it('says how to narrow when there is more', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'needle\n'.repeat(201));
    const { text } = await workspace.call('grep', { pattern: 'needle' });
    expect(text.split('\n').at(-1)).toBe('[only the first 200 lines are shown: narrow the pattern, path or glob]');
  });

  it('passes on what is wrong with a pattern', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('grep', { pattern: '[' })).toEqual({
      status: 'failed',
      text: expect.stringContaining('unclosed character class'),
    });
  });
});
