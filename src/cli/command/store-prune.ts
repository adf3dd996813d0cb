// `io-studio store prune`: makes room. Takes out only what is over; Ctrl-C ends it cleanly at any moment.
import { type PruneReport, parseSize } from '../../engine/index.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { toSizeText } from '../size-text.ts';
import { untilStopped } from '../until-stopped.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = {
  ...homeOptions,
  'older-than': { type: 'string' },
  'to-size': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const;

export async function storePruneCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  if (positionals.length > 0) throw usage('"io-studio store prune" takes no argument.');
  const limits = { before: parseBefore(values['older-than']), toBytes: parseToSize(values['to-size']) };
  if (limits.before === null && limits.toBytes === null) {
    throw usage(
      'Say what may go: --older-than DAYS, --to-size SIZE, or both; with --older-than 0 all runs that are over.',
    );
  }
  return withEngine(values.home, (engine) =>
    untilStopped(async (signal) => {
      const report = await engine.store.prune({ ...limits, isDryRun: values['dry-run'] }, signal);
      writeLines(values.json ? [JSON.stringify(report)] : toLines(report));
    }),
  );
}

const dayMs = 24 * 60 * 60 * 1000;

function parseBefore(text: string | undefined): number | null {
  if (text === undefined) return null;
  const days = text === '' ? Number.NaN : Number(text);
  if (Number.isFinite(days) && days >= 0) return Date.now() - days * dayMs;
  throw usage(`--older-than takes a number of days, not "${text}".`);
}

function parseToSize(text: string | undefined): number | null {
  if (text === undefined) return null;
  const bytes = parseSize(text);
  if (bytes !== null) return bytes;
  throw usage(`--to-size takes a number of bytes, or one with a unit such as 500MB, not "${text}".`);
}

function toLines({ isDryRun, removed, kept, bytes, usedBytes }: PruneReport): string[] {
  const what = `${counted(removed.length, 'run')}${isDryRun ? ' would go' : ' taken out'}`;
  return [
    ...removed.map((runId) => `${runId}  ${isDryRun ? 'would go' : 'gone'}`),
    ...kept.map(({ runId, why }) => `${runId}  stays: ${why}`),
    `${what}, ${isDryRun ? 'at least ' : ''}${toSizeText(bytes)}; the store uses ${toSizeText(usedBytes)} ${isDryRun ? 'now' : 'after it'}.`,
  ];
}
