import { createEngine, type Engine } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';

/**
 * Calls `use` with an engine on `home` and closes it. What fails only in closing is said on standard error and changes
 * neither the result nor the exit code: both have been told already.
 */
export async function withEngine(home: string | undefined, use: (engine: Engine) => Promise<number>): Promise<number> {
  const engine = createEngine({ home });
  try {
    return await use(engine);
  } finally {
    await engine
      .close()
      .catch((error) => process.stderr.write(`io-studio: ${toVisible(toMessage(error), { multiline: true })}\n`));
  }
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
