// Reading a command line of 500 characters into its parts, once warm. The floor is the bare parse by the same grammar: no
// reader that uses it can be faster.
import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';
import { openCommandLineReader } from '../../src/engine/guard/command-line/read-command-line.ts';
import { atMost, type Measure } from '../support/figure.ts';
import { nowMs } from '../support/now-ms.ts';
import { median } from '../support/statistics.ts';

const length = 500;
const rounds = 1000;

/** What an agent writes in one go, cut to length. */
const sample = `cd packages/app && rg -n 'createServer|listen' src --glob '*.ts' | head -40; git log --oneline -20 -- src/server.ts
sed -n '1,80p' src/server.ts; npm run build > build.log 2>&1 || { echo 'the build failed'; tail -50 build.log; }
if [ -f dist/server.js ]; then node dist/server.js --check; else ls -la dist; fi; find . -name '*.test.ts' -newer build.log | wc -l
cp -r dist ../release && tar czf ../release.tgz -C .. release; grep -rn TODO src | sort | uniq -c | sort -rn | head; printf '%s\\n' done____`;

export const commandLineReader: Measure = {
  name: 'line',
  title: `A command line of ${length} characters read into parts`,
  async run() {
    const line = sample.slice(0, length);
    if (line.length !== length) throw new Error(`the sample has ${line.length} characters`);
    const parse = await openBareParser();
    const { readLine } = await openCommandLineReader();
    const [floor, ours]: [number[], number[]] = [[], []];
    for (let round = -rounds; round < rounds; round++) {
      const times = [time(() => parse(line)), time(() => readLine(line))] as const;
      if (round < 0) continue;
      floor.push(times[0]);
      ours.push(times[1]);
    }
    return [atMost(1, { label: 'one line', unit: 'ms', floor: median(floor), ours: median(ours) })];
  },
};

async function openBareParser(): Promise<(line: string) => void> {
  const { resolve } = createRequire(import.meta.url);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm')));
  return (line) => parser.parse(line)?.delete();
}

function time(work: () => unknown): number {
  const start = nowMs();
  work();
  return nowMs() - start;
}
