// Writes a long run through the real journal, without a model: the events of each step are those that the engine writes for
// a read or a write, with contents of their own.
import { randomBytes } from 'node:crypto';
import { createBlob } from '../../src/engine/journal/create-blob.ts';
import type { NewBlob, NewEvent } from '../../src/engine/journal/journal.ts';
import { journalWorkerUrl } from '../../src/engine/journal/journal-worker-url.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import type { BlobRef, Origin } from '../../src/shared/blob-ref.ts';
import { engineVersion } from '../../src/shared/engine-version.ts';
import type { DriverEventBody } from '../../src/shared/event.ts';
import { createRunId, type RunId, rootAgentId } from '../../src/shared/id.ts';
import { toStepKind } from './model-script.ts';

/** Steps that go into one transaction: what is measured is reading. */
const batchSteps = 100;
const startedAt = Date.UTC(2026, 0, 1);
const policyHash = 'c0ffee'.padEnd(64, '0');

export async function writeLongJournal(home: string, steps: number): Promise<{ runId: RunId; events: number }> {
  const journal = await openJournal({ home, workerUrl: journalWorkerUrl() });
  try {
    const runId = createRunId(startedAt, randomBytes(12));
    const start = new Batch(0);
    addStart(start);
    const lease = await journal.writer.createRun(runId, start.events, start.blobs);
    for (let from = 1; from <= steps; from += batchSteps) {
      const batch = new Batch(from);
      for (let step = from; step < from + batchSteps && step <= steps; step++) addStep(batch, step);
      await journal.writer.append(lease, batch.events, batch.blobs);
    }
    const end = new Batch(steps);
    end.add({ type: 'run-finish', outcome: { kind: 'finished', checked: false }, activeMs: steps * 40 });
    await journal.writer.append(lease, end.events, end.blobs);
    await journal.writer.releaseLease(lease);
    return { runId, events: journal.reader.readHead(runId) };
  } finally {
    await journal.close();
  }
}

/** Events and their blobs on the way into one transaction. */
class Batch {
  readonly events: NewEvent[] = [];
  readonly blobs: NewBlob[] = [];
  step: number;

  constructor(step: number) {
    this.step = step;
  }

  add(body: DriverEventBody): void {
    this.events.push({ agentId: rootAgentId, step: this.step, at: startedAt + this.step * 40, body });
  }

  keep(text: string, origin: Origin): BlobRef {
    const blob = createBlob(text, { origin });
    this.blobs.push(blob);
    return blob.ref;
  }
}

function addStart(batch: Batch): void {
  batch.add({
    type: 'run-start',
    engineVersion,
    contract: batch.keep('{"goal":"Work for long."}', 'contract'),
    title: 'Work for long.',
    workspace: { path: '/home/user/project', device: '2049', inode: '1234567' },
    verification: 'none',
    budgets: { steps: null, wallMs: null, tokens: null, costUsd: null, retries: 2, riskyActs: null },
    provider: { name: 'openai', wire: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1', model: 'scripted' },
    posture: 'all',
    policyHash,
    contextTokens: 100_000_000,
    maxOutputTokens: 8192,
    price: { inputPerMTok: 1, outputPerMTok: 5 },
    system: batch.keep('You carry out one task.', 'engine'),
    prompt: batch.keep('Task:\nWork for long.', 'contract'),
    toolBytes: 3000,
    neighbours: [],
  });
}

/** The six events of a step with one call. */
function addStep(batch: Batch, step: number): void {
  batch.step = step;
  const activeMs = step * 40;
  const kind = toStepKind(step);
  const tool = kind === 'read' ? 'read_file' : 'write_file';
  const path = `src/part-${step % 97}/module-${step % 997}.ts`;
  const reservation = { inputTokens: 900 + step * 120, outputTokens: 8192, costUsd: 0.05 };
  batch.add({ type: 'model-start', attempt: 1, reservation, maxOutputTokens: 8192, activeMs });
  addReply(batch, { tool, path, activeMs });
  const verdict = { effect: 'allow', rule: null, layer: 'default' } as const;
  batch.add({ type: 'act-judged', call: 0, act: kind, target: path, ...verdict });
  addCall(batch, { tool, path, kind });
  batch.add({ type: 'step-finish', activeMs });
}

function addReply(batch: Batch, { tool, path, activeMs }: { tool: string; path: string; activeMs: number }): void {
  const { step } = batch;
  const id = `call_${step.toString(36).padStart(12, '0')}`;
  const message = { text: `Now ${path}.`, calls: [{ id, tool, arguments: JSON.stringify({ path }) }] };
  batch.add({
    type: 'model-finish',
    attempt: 1,
    message: batch.keep(JSON.stringify(message), 'model'),
    finish: 'calls',
    calls: [{ call: 0, id, tool }],
    usage: { inputTokens: 800 + step * 110, outputTokens: 60, cachedInputTokens: 700 + step * 109 },
    costUsd: 0.012,
    firstEventMs: 11,
    durationMs: 24,
    activeMs,
  });
}

function addCall(batch: Batch, { tool, path, kind }: { tool: string; path: string; kind: 'read' | 'write' }): void {
  const { step } = batch;
  const content = batch.keep(`// ${path}, version ${step}\nexport const version = ${step};\n`, 'repository');
  const isWrite = kind === 'write';
  const result = isWrite ? batch.keep(`Created ${path}: 2 lines, now version ${step}.`, 'engine') : content;
  const start = { type: 'call-start', call: 0, tool, risky: false } as const;
  if (isWrite) batch.add({ ...start, class: 'compare', change: { path, before: null, after: content }, result });
  else batch.add({ ...start, class: 'repeat' });
  const seen = [{ path, hash: content.hash }];
  const finish = { type: 'call-finish', call: 0, tool, status: 'ok', target: path } as const;
  batch.add({ ...finish, result, seen, changed: isWrite, durationMs: 2 });
}
