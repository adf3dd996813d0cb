// `io-studio store stats`: how large the store is, and what of.
import type { StoreStats } from '../../engine/index.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { toSizeText } from '../size-text.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

export async function storeStatsCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, homeOptions);
  if (positionals.length > 0) throw usage('"io-studio store stats" takes no argument.');
  return withEngine(values.home, async (engine) => {
    const stats = await engine.store.stats();
    writeLines(values.json ? [JSON.stringify(stats)] : toLines(stats));
    return 0;
  });
}

function toLines(stats: StoreStats): string[] {
  const { file, fileBytes, logBytes, freeBytes, quotaBytes, shared, unnamed } = stats;
  const line = (name: string, bytes: number, more = '') =>
    `  ${name.padEnd(22)} ${toSizeText(bytes).padStart(10)}${more}`;
  const quota =
    quotaBytes === null
      ? ''
      : `  (quota ${toSizeText(quotaBytes)}${fileBytes + logBytes > quotaBytes ? ', passed' : ''})`;
  return [
    `${toVisible(file)}${quota}`,
    line('file', fileBytes),
    line('log', logBytes),
    line('free pages', freeBytes),
    line('events', stats.eventBytes),
    ...stats.blobs.map(({ origin, count, bytes }) => line(`from ${origin}`, bytes, `  ${counted(count, 'content')}`)),
    line('sealed originals', stats.sealedBytes),
    line('shared by runs', shared.bytes, `  ${counted(shared.count, 'content')}`),
    ...(unnamed.count === 0 ? [] : [line('named by nothing', unnamed.bytes, `  ${counted(unnamed.count, 'content')}`)]),
    '',
    ...stats.runs.map(
      ({ runId, title, events, eventBytes, ownBytes, sharedBytes }) =>
        `${runId}  ${toSizeText(eventBytes + ownBytes).padStart(10)} of its own, ${toSizeText(sharedBytes)} shared, ${counted(events, 'event')}  ${toVisible(title)}`,
    ),
  ];
}
