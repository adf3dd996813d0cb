import { toVisible } from '../shared/to-visible.ts';

interface Decider {
  /** Null: no rule spoke. */
  readonly rule: string | null;
  readonly layer: string;
  readonly origin?: string | undefined;
}

/** `the rule "src/*" of the layer "app" (user)`, or `the default`. */
export function describeDecider({ rule, layer, origin }: Decider): string {
  const place = `the layer "${toVisible(layer)}"${origin === undefined ? '' : ` (${origin})`}`;
  if (rule !== null) return `the rule "${toVisible(rule)}" of ${place}`;
  return layer === 'default' ? 'the default' : place;
}
