// `io-studio store verify`: looks over the store, or one run, and says of each fault what can be done.
import type { VerifyReport } from '../../engine/index.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, parseRunId } from '../parse-options.ts';
import { untilStopped } from '../until-stopped.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, rebuild: { type: 'boolean', default: false } } as const;

/** The exit code of a run whose store failed. */
const faultFound = 8;

export async function storeVerifyCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = positionals.length === 0 ? null : parseRunId(positionals, 'store verify');
  return withEngine(values.home, async (engine) => {
    let isWell = true;
    const stopped = await untilStopped(async (signal) => {
      const report = await engine.store.verify({ runId, rebuild: values.rebuild }, signal);
      isWell = report.faults.length === 0;
      writeLines(values.json ? [JSON.stringify(report)] : toLines(report));
    });
    return stopped === 0 && !isWell ? faultFound : stopped;
  });
}

function toLines({ file, runs, events, blobs, withoutOriginal, faults, isTruncated, rebuilt }: VerifyReport): string[] {
  const seen = `${toVisible(file)}: ${counted(runs, 'run')}, ${counted(events, 'event')}, ${counted(blobs, 'content')}`;
  return [
    ...faults.flatMap(({ kind, runId, what, remedy }) => [
      `${kind}: ${runId === null ? '' : `${runId}: `}${toVisible(what)}`,
      `  ${toVisible(remedy)}`,
    ]),
    ...(isTruncated ? ['More was found than is told here.'] : []),
    ...rebuilt.map((runId) => `${runId}  lists and traces made again`),
    ...(withoutOriginal === 0 ? [] : [`${counted(withoutOriginal, 'masked content')} came without the original.`]),
    faults.length === 0 ? `${seen}; nothing is wrong.` : seen,
  ];
}
