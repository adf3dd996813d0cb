import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('the command line', () => {
  it('starts without the HTTP of Node, which is loaded with the first command that is given a way out', () => {
    const program = `await import(${JSON.stringify(new URL('main.ts', import.meta.url).href)});
      console.log(process.moduleLoadList.filter((name) => /^NativeModule (http|http2|internal\\/deps\\/undici\\/.*)$/.test(name)).join());`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: '\n', stderr: '' });
  });
});
