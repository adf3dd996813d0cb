// `io-studio store backup FILE`: a copy of the whole store, also while runs are under way.
import { resolve } from 'node:path';
import { toVisible } from '../../shared/to-visible.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { toSizeText } from '../size-text.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, 'with-key': { type: 'boolean', default: false } } as const;

export async function storeBackupCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw usage('"io-studio store backup" takes one file.');
  return withEngine(values.home, async (engine) => {
    const report = await engine.store.backup(resolve(file), values['with-key']);
    const { bytes, runs, events, keyFile } = report;
    const told = `${toVisible(report.file)}: ${counted(runs, 'run')}, ${counted(events, 'event')}, ${toSizeText(bytes)}`;
    writeLines([values.json ? JSON.stringify(report) : told]);
    if (keyFile !== null) {
      process.stderr.write(
        `io-studio: ${toVisible(keyFile)} opens every masked secret of that backup: keep the two apart\n`,
      );
    }
    return 0;
  });
}
