// The writer's handle. Events are checked against the whole schema here, before they are written, because a row that was
// written once is read for ever; readers rely on it.
import { z } from 'zod';
import { EngineError } from '../../shared/engine-error.ts';
import { DriverEventBody, PersonEventBody } from '../../shared/event.ts';
import type { RunId } from '../../shared/id.ts';
import type { JournalWriter, NewEvent } from './journal.ts';
import { parseEventText } from './parse-event-text.ts';
import type { WorkerLink } from './worker-link.ts';
import type { WorkerReply } from './worker-message.ts';

export interface WriterOptions {
  readonly file: string;
  /** Called once new events of a run are durable. */
  readonly onAppend: (runId: RunId) => void;
}

/** A writer that speaks through `link`. */
export function createWriter(link: WorkerLink, { file, onAppend }: WriterOptions): JournalWriter {
  return {
    async createRun(runId, events, blobs) {
      assertRunStart(events);
      const reply = await link.ask({ kind: 'create-run', runId, events: parseEvents(events), blobs });
      if (reply.kind !== 'lease') throw createUnexpectedReplyError(reply);
      onAppend(runId);
      return reply.lease;
    },
    async append(lease, events, blobs) {
      const reply = await link.ask({ kind: 'append', lease, events: parseEvents(events), blobs });
      if (reply.kind !== 'append') throw createUnexpectedReplyError(reply);
      if (reply.result.kind === 'appended') onAppend(lease.runId);
      return reply.result;
    },
    async appendPerson(runId, event, blobs) {
      const checked = { ...event, body: parseBody(PersonEventBody, event.body) };
      const reply = await link.ask({ kind: 'append-person', runId, event: checked, blobs });
      if (reply.kind === 'person-already')
        return { kind: 'already', winner: parseEventText(reply.winner, runId, file) };
      if (reply.kind !== 'person-append') throw createUnexpectedReplyError(reply);
      onAppend(runId);
      return { kind: 'appended', seq: reply.seq };
    },
    async takeLease(runId, cleared) {
      const reply = await link.ask({ kind: 'take-lease', runId, cleared: cleared ?? null });
      if (reply.kind !== 'lease-result') throw createUnexpectedReplyError(reply);
      return reply.result;
    },
    async wrestLease(runId, owner, event, cleared) {
      const checked = { ...event, body: parseBody(PersonEventBody, event.body) };
      const reply = await link.ask({ kind: 'wrest-lease', runId, owner, event: checked, cleared: cleared ?? null });
      if (reply.kind !== 'lease-wrest') throw createUnexpectedReplyError(reply);
      if (reply.result.kind === 'wrested') onAppend(runId);
      return reply.result;
    },
    async adoptStore() {
      await link.ask({ kind: 'adopt-store' });
    },
    async releaseLease(lease) {
      await link.ask({ kind: 'release-lease', lease });
    },
    close: () => link.close(),
  };
}

function parseEvents(events: readonly NewEvent[]): NewEvent[] {
  return events.map((event) => ({ ...event, body: parseBody(DriverEventBody, event.body) }));
}

function parseBody<Body>(schema: z.ZodType<Body>, body: Body): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const detail = z.prettifyError(parsed.error);
  throw new EngineError('internal', `An event does not have the shape it is stored in: ${detail}`, {
    remedy: 'Nothing was written. Report this.',
    cause: parsed.error,
  });
}

function assertRunStart(events: readonly NewEvent[]): void {
  if (events[0]?.body.type === 'run-start') return;
  throw new EngineError('internal', 'The first event of a run must be its run-start.', { remedy: 'Report this.' });
}

function createUnexpectedReplyError(reply: WorkerReply): EngineError {
  return new EngineError('internal', `The journal's worker answered "${reply.kind}" out of turn.`, {
    remedy: 'Report this.',
  });
}
