import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

describe('find', () => {
  it('gives one path a line', async () => {
    await using workspace = await openGuardedWorkspace();
    for (const path of ['src/b.ts', 'src/a.ts', 'a.js', 'id_rsa']) workspace.write(path, '');
    const results = [
      await workspace.call('find', { pattern: '*.ts' }),
      await workspace.call('find', { pattern: 'id_*' }),
    ];
    expect(results).toEqual([
      { status: 'ok', text: 'src/a.ts\nsrc/b.ts' },
      { status: 'ok', text: 'No file matches "id_*".' },
    ]);
  });
});
