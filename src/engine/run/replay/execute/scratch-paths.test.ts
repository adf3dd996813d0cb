import { describe, expect, it } from 'vitest';
import { createScratchPaths } from './scratch-paths.ts';

const paths = createScratchPaths('/home/ada/my.app', '/tmp/io/x.1/workspace');

describe('the names of a workspace in a scratch copy', () => {
  it.each([
    ['cat /home/ada/my.app/a.txt', 'cat /tmp/io/x.1/workspace/a.txt'],
    ['cd /home/ada/my.app; ls', 'cd /tmp/io/x.1/workspace; ls'],
    ['It lies in /home/ada/my.app.', 'It lies in /tmp/io/x.1/workspace.'],
    ['PATH=/bin:/home/ada/my.app/bin', 'PATH=/bin:/tmp/io/x.1/workspace/bin'],
  ])('takes %s there and back', (told, scratch) => {
    expect(paths.toScratch(told)).toBe(scratch);
    expect(paths.toOriginal(scratch)).toBe(told);
  });

  it.each(['/home/ada/my.app2/a', '/home/ada/my.app.bak', '/home/ada/my-app/a', '/mnt/x/home/ada/my.app'])(
    'leaves %s alone, which is another directory',
    (path) => {
      expect(paths.toScratch(path)).toBe(path);
    },
  );

  it('finds the path in each text of a JSON value, however it is escaped there', () => {
    const json = String.raw`{"argv":["ls","\/home\/ada/my.app"],"n":1}`;
    expect(paths.toScratchJson(json)).toBe('{"argv":["ls","/tmp/io/x.1/workspace"],"n":1}');
  });

  it('leaves the other bytes of a content as they are', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('é/tmp/io/x.1/workspace\n')]);
    const expected = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('é/home/ada/my.app\n')]);
    expect(paths.toOriginalBytes(bytes)).toEqual(expected);
  });
});
