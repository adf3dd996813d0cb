// A terminal whose person types from a script: each line only once a question stands, as a person would.
import { PassThrough } from 'node:stream';
import { openTerminal, type Terminal } from '../../src/cli/terminal.ts';

export interface ScriptedTerminal extends Disposable {
  readonly terminal: Terminal;
  /** Everything shown so far; what was typed stands as `<line>` behind its question. */
  readonly shown: () => string;
  /** Resolves once a question stands that the script has no line for. */
  readonly untilAsked: () => Promise<void>;
}

export interface ScriptedTerminalOptions {
  readonly rows?: number;
  readonly columns?: number;
}

/** `null` in the script is the end of the input. */
export function openScriptedTerminal(
  script: readonly (string | null)[],
  { rows = 100, columns = 200 }: ScriptedTerminalOptions = {},
): ScriptedTerminal {
  const lines = [...script];
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { rows, columns });
  const asked = Promise.withResolvers<void>();
  let text = '';
  output.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (piece.endsWith('\n')) return;
    const line = lines.shift();
    if (line === undefined) return asked.resolve();
    text += line === null ? '<end>\n' : `<${line}>\n`;
    if (line === null) input.end();
    else input.write(`${line}\n`);
  });
  const terminal = openTerminal(input, output);
  return {
    terminal,
    shown: () => text,
    untilAsked: () => asked.promise,
    [Symbol.dispose]: () => terminal[Symbol.dispose](),
  };
}
