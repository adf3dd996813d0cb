import type { Origin } from '../../shared/blob-ref.ts';
import type { EventOf, EventPlace, SeenFile } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { CallPorts } from './driver-ports.ts';
import { toShown } from './to-shown.ts';

export interface CallEnd {
  readonly call: number;
  readonly tool: string;
  readonly target: string;
  readonly status: EventOf<'call-finish'>['status'];
  readonly text: string;
  readonly origin: Origin;
  /** Why it was refused, where the text tells more than that. */
  readonly because?: string;
  readonly seen?: readonly SeenFile[];
  readonly changed?: boolean;
  /** Which paths, for a call that does not name the one in its start. */
  readonly paths?: readonly string[];
  readonly durationMs?: number;
  /** The agents of whom it tells how they ended. */
  readonly agents?: readonly AgentId[];
  /** How much of the mailbox it tells. */
  readonly mail?: number;
}

/** Journals what a call came to. Secrets are masked here, so what the model is shown is what the journal holds. */
export function finishCall({ recorder, redactor, transcript }: CallPorts, place: EventPlace, end: CallEnd): void {
  // A half of a surrogate pair has no bytes: kept, it would come back as another text after a restart.
  const { text, found } = redactor.redact(end.text.toWellFormed());
  const target = redactor.redact(end.target).text;
  const whole = createBlob(text, { origin: end.origin });
  const shownText = toShown(text, target);
  const shown = shownText === text ? null : createBlob(shownText, { origin: end.origin });
  const call = callOf(agentOf(recorder.state, place), end.call);
  // A refused call shows nothing, unless its command had run and only what it left was refused.
  const isShown = end.status !== 'denied' || call.staged !== null;
  const isSensitive = found > 0 || (isShown && call.isSensitive);
  transcript.keepText((shown ?? whole).ref, shownText);
  recorder.emit(
    place,
    {
      type: 'call-finish',
      call: end.call,
      tool: end.tool,
      status: end.status,
      target,
      result: isSensitive ? { ...whole.ref, sensitive: true } : whole.ref,
      ...(shown === null ? {} : { shown: shown.ref }),
      ...(end.because === undefined ? {} : { because: redactor.redact(end.because).text }),
      seen: [...(end.seen ?? [])],
      changed: end.changed ?? false,
      ...(end.paths === undefined ? {} : { paths: end.paths.map((path) => redactor.redact(path).text) }),
      ...(end.agents === undefined || end.agents.length === 0 ? {} : { agents: [...end.agents] }),
      ...(end.mail === undefined || end.mail === 0 ? {} : { mail: end.mail }),
      durationMs: Math.round(end.durationMs ?? 0),
    },
    shown === null ? [whole] : [whole, shown],
  );
}
