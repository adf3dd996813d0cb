// `io-studio store import FILE`: takes in a run that another store exported, to be read.
import { resolve } from 'node:path';
import { toVisible } from '../../shared/to-visible.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { untilStopped } from '../until-stopped.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, key: { type: 'string' } } as const;

export async function storeImportCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw usage('"io-studio store import" takes one file.');
  const keyFile = values.key === undefined ? null : resolve(values.key);
  return withEngine(values.home, (engine) =>
    untilStopped(async (signal) => {
      const report = await engine.store.importRun(resolve(file), keyFile, signal);
      const { runId, title, events, withoutOriginal } = report;
      const masked = withoutOriginal === 0 ? '' : `, ${counted(withoutOriginal, 'content')} masked for good`;
      const told = [
        `${runId}  ${toVisible(title)}  (${counted(events, 'event')}${masked})`,
        `It can be read, as by "io-studio trace ${runId}"; "io-studio store adopt ${runId} --workspace DIR" takes it as yours.`,
      ];
      writeLines(values.json ? [JSON.stringify(report)] : told);
    }),
  );
}
