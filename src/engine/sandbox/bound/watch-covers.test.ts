import { renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { watchCovers } from './watch-covers.ts';

describe('watchCovers', () => {
  it('hears of a path that was given to something else, or that another directory has taken the way to', async () => {
    using workspace = createTemporaryDirectory();
    for (const file of ['a/b/secret', 'top', 'kept']) workspace.write(file, 'old');
    const at = (path: string): string => `${workspace.path}/${path}`;
    const heard = new Map(['a/b/secret', 'top'].map((path) => [path, Promise.withResolvers<void>()]));
    using watch = watchCovers({
      workspace: workspace.path,
      paths: ['a/b/secret', 'top', 'kept'],
      onLost: (path) => heard.get(path)?.resolve(),
    });
    writeFileSync(at('kept'), 'written in its place');
    workspace.write('new', 'new');
    renameSync(at('new'), at('top'));
    await heard.get('top')?.promise;
    renameSync(at('a'), at('moved'));
    await heard.get('a/b/secret')?.promise;
    expect([...watch.lost].sort()).toEqual(['a/b/secret', 'top']);
  });

  it('finds by itself what nobody was told of yet', () => {
    using workspace = createTemporaryDirectory();
    workspace.write('secret', 'old');
    using watch = watchCovers({ workspace: workspace.path, paths: ['secret'], onLost: () => undefined });
    renameSync(`${workspace.path}/secret`, `${workspace.path}/moved`);
    watch.look();
    expect([...watch.lost]).toEqual(['secret']);
  });
});
