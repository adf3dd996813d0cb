// Asks the questions of its arguments at its terminal and tells what was typed, one JSON line each.
import { openTerminal } from '../../src/cli/terminal.ts';

using terminal = openTerminal(process.stdin, process.stdout);
for (const question of process.argv.slice(2)) {
  const typed = await terminal.question(`${question} `, new AbortController().signal);
  terminal.write(`${JSON.stringify(typed)}\n`);
}
