import { describe, expect, it } from 'vitest';
import { createFloorSandbox } from '../../../test/support/floor-sandbox.ts';
import { defaultLimits, type LiveCommand, type SandboxSpec } from './sandbox.ts';

const spec = (line: string): SandboxSpec => ({
  argv: ['sh', '-c', line],
  directory: { mode: 'ephemeral', files: [], collect: [] },
  environment: {},
  limits: { ...defaultLimits, wallMs: 20_000 },
});

describe('a command that is talked to', () => {
  it('is handed its input and hands on its output while it runs', async () => {
    const begun = Promise.withResolvers<LiveCommand>();
    const answered = Promise.withResolvers<void>();
    let output = '';
    const ending = createFloorSandbox().run(
      {
        ...spec('read -r name; echo "hello $name"; cat'),
        session: {
          onStart: begun.resolve,
          onOutput(bytes) {
            output += Buffer.from(bytes).toString();
            if (output.includes('\n')) answered.resolve();
          },
        },
      },
      new AbortController().signal,
    );
    const live = await begun.promise;
    expect(await live.write(Buffer.from('Ada\n'))).toBe('written');
    await answered.promise;
    expect(output).toBe('hello Ada\n');
    live.closeInput();
    expect(await ending).toMatchObject({ kind: 'exit', code: 0, stdout: { text: 'hello Ada\n' } });
    expect(await live.write(Buffer.from('x'))).toBe('closed');
  });

  it('has no input where nobody talks to it', async () => {
    const result = await createFloorSandbox().run(spec('cat; echo end'), new AbortController().signal);
    expect(result).toMatchObject({ kind: 'exit', code: 0, stdout: { text: 'end\n' } });
  });
});
