// `io-studio rewind RUN`: takes a run back, or files of it alone, and tells what became of each path.
import type { RewindParams } from '../../engine/index.ts';
import { homeOptions, parseOptions, parseRunId, usage } from '../parse-options.ts';
import { toRewindLines } from '../rewind-lines.ts';
import { toActor } from '../to-actor.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = {
  ...homeOptions,
  to: { type: 'string' },
  file: { type: 'string' },
  undo: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  'shared-home': { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export async function rewindCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = parseRunId(positionals, 'rewind');
  const params: RewindParams = {
    actor: toActor(),
    aim: parseAim(values),
    mode: values['dry-run'] ? 'preview' : 'carry-out',
    foreign: values.force ? 'keep-copy' : 'leave',
    ...(values['shared-home'] ? { sharedHome: 'allow' } : {}),
  };
  return withEngine(values.home, async (engine) => {
    const report = await engine.rewindRun(runId, params);
    writeLines(values.json ? [JSON.stringify(report)] : toRewindLines(report));
    return 0;
  });
}

function parseAim({ to, file, undo }: Values): RewindParams['aim'] {
  if (undo && (to !== undefined || file !== undefined)) throw usage('--undo takes the last rewind back as a whole.');
  if (undo) return { kind: 'undo' };
  const step = parseStep(to);
  return file === undefined ? { kind: 'step', step } : { kind: 'file', step, path: file };
}

function parseStep(text: string | undefined): number {
  const step = text === undefined ? 0 : Number(text);
  if (Number.isSafeInteger(step) && step >= 0 && text !== '') return step;
  throw usage(`--to takes the number of a step, 0 for the beginning, not "${text}".`);
}
