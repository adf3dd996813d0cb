// `io-studio store export` and `archive`: one run as one file, which `store import` reads.
import { resolve } from 'node:path';
import type { Engine, ExportReport, RunId } from '../../engine/index.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, parseRunId, usage } from '../parse-options.ts';
import { toSizeText } from '../size-text.ts';
import { untilStopped } from '../until-stopped.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, sealed: { type: 'string' } } as const;
const archiveOptions = { ...options, unfinished: { type: 'boolean', default: false } } as const;

export async function storeExportCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const { runId, file } = parseTarget(positionals, 'store export');
  return withEngine(values.home, async (engine) => {
    tell(await engine.store.exportRun(runId, file, toKeyFile(values.sealed)), values.json);
    return 0;
  });
}

export async function storeArchiveCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, archiveOptions);
  const target = parseTarget(positionals, 'store archive');
  const removable = values.unfinished ? 'unfinished' : 'over';
  return withEngine(values.home, (engine: Engine) =>
    untilStopped(async (signal) => {
      const { runId, file } = target;
      const keyFile = toKeyFile(values.sealed);
      tell(await engine.store.archiveRun(runId, { file, keyFile, removable }, signal), values.json);
    }),
  );
}

function parseTarget([run = '', file, ...more]: readonly string[], command: string): { runId: RunId; file: string } {
  if (file === undefined || more.length > 0) throw usage(`"io-studio ${command}" takes a run id and a file.`);
  return { runId: parseRunId([run], command), file: resolve(file) };
}

const toKeyFile = (file: string | undefined): string | null => (file === undefined ? null : resolve(file));

function tell(report: ExportReport, json: boolean): void {
  const { runId, file, bytes, events, blobs, leftOut, keyFile } = report;
  const size = `${counted(events, 'event')}, ${counted(blobs, 'content')}, ${toSizeText(bytes)}`;
  writeLines([json ? JSON.stringify(report) : `${runId} is in ${toVisible(file)}: ${size}`]);
  if (leftOut > 0) {
    process.stderr.write(
      `io-studio: ${counted(leftOut, 'content')} went with its secrets masked; --sealed KEYFILE takes the originals along\n`,
    );
  }
  if (keyFile !== null) {
    process.stderr.write(`io-studio: ${toVisible(keyFile)} opens every secret in that file: keep the two apart\n`);
  }
}
