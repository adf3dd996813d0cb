// `io-studio policy`: looks over a policy file, or makes one of another tool's permission settings.
import { resolve } from 'node:path';
import type { Engine } from '../../engine/index.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

interface FileCommand {
  readonly engine: Engine;
  readonly file: string;
  readonly json: boolean;
}

export async function policyCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, homeOptions);
  const [name, file, ...more] = positionals;
  const command = name === 'check' ? check : name === 'import' ? importFrom : null;
  if (command === null || file === undefined || more.length > 0)
    throw usage('"io-studio policy" takes "check FILE" or "import FILE".');
  return withEngine(values.home, async (engine) => {
    await command({ engine, file: resolve(file), json: values.json });
    return 0;
  });
}

async function check({ engine, file, json }: FileCommand): Promise<void> {
  const { layers, rules } = await engine.checkPolicy(file);
  writeLines([
    json
      ? JSON.stringify({ file, layers, rules })
      : `${toVisible(file)}: ${counted(rules, 'rule')} in ${counted(layers, 'layer')}`,
  ]);
}

/** The policy goes to standard output, ready for a file; what was not carried over is said beside it. */
async function importFrom({ engine, file, json }: FileCommand): Promise<void> {
  const imported = await engine.importPolicy(file);
  if (json) return writeLines([JSON.stringify(imported)]);
  const { source, policy, notes } = imported;
  const report = notes.map(({ setting, reason }) => `  ${toVisible(setting)}: ${toVisible(reason)}\n`);
  writeLines([JSON.stringify(policy, null, 2)]);
  process.stderr.write(
    `io-studio: read as ${source} settings; ${notes.length} not carried over as they stood\n${report.join('')}`,
  );
}
