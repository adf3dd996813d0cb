import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../process/start-child.ts';
import { collectOutput } from '../collect-output.ts';
import { readChannelLines } from '../linux/channel-lines.ts';
import { stubSource } from './stub-source.ts';

async function startStub() {
  const child = await startChild({
    argv: [process.execPath, '-e', stubSource],
    directory: tmpdir(),
    environment: { OWN: 'of the one that waits' },
    identity: null,
    descriptors: ['channel'],
  });
  const [channel] = child.kind === 'started' ? child.channels : [];
  if (child.kind === 'failed' || channel === undefined) throw new Error('It could not be started');
  return { child, channel, output: collectOutput(child, { outputBytes: 4096, writtenBytes: 65_536 }) };
}

async function tell(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { child, channel, output } = await startStub();
  channel.write(`${JSON.stringify({ argv, environment })}\n`);
  const line = await readChannelLines(channel).next(AbortSignal.timeout(20_000));
  const exit = await child.exited;
  await child.closed;
  return { line, exit, stdout: output.read().stdout.text };
}

const node = (script: string): readonly string[] => [process.execPath, '-e', script];

describe('what waits for a command', () => {
  it('starts it, says so, and ends as it does', async () => {
    const script =
      'console.log(JSON.stringify([process.argv.slice(1), process.env.GIVEN, process.env.OWN])); process.exit(7)';
    const words = ['a b', '"', 'c\\"d\\', '%PATH%', '^&|', ''];
    expect(await tell([...node(script), '--', ...words], { GIVEN: 'yes' })).toEqual({
      line: 'begun',
      exit: { code: 7, signal: null },
      stdout: `${JSON.stringify([words, 'yes', null])}\n`,
    });
  });

  it('leaves nothing of its channel to it', async () => {
    const script = `require('node:fs').fstatSync(3).isSocket() && console.log('open')`;
    expect((await tell(node(`try { ${script} } catch { }`))).stdout).toBe('');
  });

  it('says why it could not be started', async () => {
    expect(await tell(['/nowhere/program'])).toEqual({
      line: expect.stringMatching(/^failed\t.*ENOENT/),
      exit: { code: 70, signal: null },
      stdout: '',
    });
  });

  it('says so also of what no program can be called with', async () => {
    expect(await tell([process.execPath, 'a\0b'])).toMatchObject({ line: expect.stringMatching(/^failed\t/) });
  });

  it('starts nothing when nobody tells it what', async () => {
    const { child, channel } = await startStub();
    channel.destroy();
    expect(await child.exited).toEqual({ code: 70, signal: null });
  });

  it.skipIf(process.platform === 'win32')('ends by the signal by which it ended', async () => {
    expect((await tell(node(`process.kill(process.pid, 'SIGTERM')`))).exit).toEqual({ code: null, signal: 'SIGTERM' });
  });
});
