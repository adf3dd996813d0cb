import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openProvider } from './open-provider.ts';

const main = fileURLToPath(new URL('../support/scripted-model-server-main.ts', import.meta.url));

describe('the scripted model server as a process', () => {
  it('prints its address, answers, tells its log, and ends when its input closes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scripted-'));
    await writeFile(join(folder, 'script.json'), JSON.stringify([{ text: 'Hi' }]));
    const child = spawn(process.execPath, [main, join(folder, 'script.json')], { stdio: ['pipe', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url } = JSON.parse(line);
    await using opened = openProvider(url);
    const result = await opened.ask();
    const log = await (await fetch(url)).json();
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    expect(result).toMatchObject({ kind: 'reply', reply: { message: { text: 'Hi' } } });
    expect(log).toMatchObject([{ position: 0, aborted: false, body: null }]);
    await rm(folder, { recursive: true });
  });
});
