// The act projection: one row for each judged act, for policy previews and simulations.
import type { EventBody } from '../../shared/event.ts';

export interface ActColumns {
  readonly kind: string;
  readonly target: string;
  readonly effect: string;
  readonly rule: string | null;
  readonly layer: string;
}

/** The row of an event that judged an act; null for every other event. */
export function toActRow(body: EventBody): ActColumns | null {
  if (body.type !== 'act-judged') return null;
  const { act, target, effect, rule, layer } = body;
  return { kind: act, target, effect, rule, layer };
}
