// What tests of the journal are made of: a home that goes away with the test, and small events of the real shapes.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBlob } from '../../src/engine/journal/create-blob.ts';
import type { JournalWriter, Lease, NewBlob, NewEvent, NewPersonEvent } from '../../src/engine/journal/journal.ts';
import type { DriverEventBody } from '../../src/shared/event.ts';
import { createRunId, type RunId, rootAgentId } from '../../src/shared/id.ts';

/** A new directory whose parent is removed when the scope ends. */
export function createTemporaryHome(): Disposable & { readonly path: string } {
  const parent = mkdtempSync(join(tmpdir(), 'journal-'));
  return { path: join(parent, 'home'), [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }) };
}

export const newRunId = (): RunId => createRunId(1_800_000_000_000, randomBytes(12));

/** One event and the blobs it names. */
export interface Sample {
  readonly event: NewEvent;
  readonly blobs: readonly NewBlob[];
}

export const at = 1_800_000_000_123;

export const toEvent = (body: DriverEventBody, step = 0): NewEvent => ({ agentId: rootAgentId, step, at, body });

export function sampleObservation(text: string): Sample {
  const blob = createBlob(text, { origin: 'engine' });
  return { event: toEvent({ type: 'observation', kind: 'check-evidence', content: blob.ref }), blobs: [blob] };
}

export function sampleJudgement(target: string): NewEvent {
  return toEvent({
    type: 'act-judged',
    call: 0,
    act: 'read',
    target,
    effect: 'allow',
    rule: null,
    layer: 'default',
    because: 'Reads are allowed.',
  });
}

export const sampleDecision = (request: string, actor: string): NewPersonEvent => ({
  agentId: rootAgentId,
  step: 0,
  at,
  subject: request,
  body: { type: 'approval-decision', request, decision: 'approve', actor },
});

export function sampleRunStart(title = 'Fix the test'): Sample {
  const text = createBlob('{}', { origin: 'contract' });
  const body: DriverEventBody = {
    type: 'run-start',
    engineVersion: '0.1.0',
    contract: text.ref,
    title,
    workspace: { path: '/w', device: '1', inode: '2' },
    verification: 'none',
    budgets: { steps: 12, wallMs: null, tokens: null, costUsd: null, retries: 2, riskyActs: null },
    provider: { name: 'scripted', wire: 'openai-chat', baseUrl: null, model: 'm' },
    posture: 'defer',
    policyHash: 'p',
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    toolBytes: 0,
    price: null,
    system: text.ref,
    prompt: text.ref,
    neighbours: [],
  };
  return { event: toEvent(body), blobs: [text] };
}

export function startSampleRun(writer: JournalWriter, runId: RunId = newRunId()): Promise<Lease> {
  const { event, blobs } = sampleRunStart();
  return writer.createRun(runId, [event], blobs);
}

export function appendText(writer: JournalWriter, lease: Lease, text: string) {
  const { event, blobs } = sampleObservation(text);
  return writer.append(lease, [event], blobs);
}
