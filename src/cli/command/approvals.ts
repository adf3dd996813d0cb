// `io-studio approvals`: the questions that wait in this home, or one of them to its last line.
import { setTimeout as pause } from 'node:timers/promises';
import type { ApprovalRequest, Engine } from '../../engine/index.ts';
import { findRequest } from '../find-request.ts';
import { homeOptions, parseOptions, parseRunId, usage } from '../parse-options.ts';
import { toRequestBlock, toRequestLines } from '../request-lines.ts';
import { untilStopped } from '../until-stopped.ts';
import { watchApprovals } from '../watch-approvals.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = {
  ...homeOptions,
  run: { type: 'string' },
  watch: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export async function approvalsCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const [request, ...more] = positionals;
  if (more.length > 0) throw usage('"io-studio approvals" takes at most one request.');
  if (request === undefined) return withEngine(values.home, (engine) => list(engine, values));
  if (values.watch || values.run !== undefined) throw usage('One request goes with neither --run nor --watch.');
  return withEngine(values.home, async (engine) => {
    const found = await findRequest(engine, request);
    writeLines(values.json ? [JSON.stringify(found)] : toRequestLines(found));
    return 0;
  });
}

async function list(engine: Engine, { json, run, watch }: Values): Promise<number> {
  const runId = run === undefined ? undefined : parseRunId([run], 'approvals --run');
  const write = (requests: readonly ApprovalRequest[]) => writeLines(requests.flatMap((each) => toLines(each, json)));
  if (runId !== undefined) await engine.readRun(runId); // A run that nobody knows has no questions, and that is no answer.
  const waiting = await engine.listApprovals(runId);
  if (waiting.length === 0 && !json) writeLines(['No question waits for an answer.']);
  write(waiting);
  if (!watch) return 0;
  return untilStopped((signal) => watchApprovals({ engine, runId, seen: waiting, write, looks: toLooks(signal) }));
}

/** People do not notice less, and a look is one read of the journal. */
const lookEveryMs = 500;

async function* toLooks(signal: AbortSignal): AsyncGenerator<void> {
  while (await pause(lookEveryMs, true, { signal }).catch(() => false)) yield;
}

const toLines = (request: ApprovalRequest, json: boolean): string[] =>
  json ? [JSON.stringify(request)] : [...toRequestBlock(request), ''];
