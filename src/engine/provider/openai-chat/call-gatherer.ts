// Puts the tool calls of a reply together from their fragments. A known id decides where a fragment belongs; the index is
// only a hint, because servers repeat it, leave it out or get it wrong, and two calls run together are both lost.
import type { MessageCall } from '../../../shared/message.ts';
import type { CallFragment } from './wire-chunk.ts';

/** A call in the making. */
export interface OpenCall {
  readonly position: number;
  id: string;
  tool: string;
  readonly pieces: string[];
  characters: number;
}

export interface CallGatherer {
  /** The call that the fragment belonged to, or null when the fragment said nothing. */
  add(fragment: CallFragment): OpenCall | null;
  /** The calls in the order they were opened. Ids are unique: made ones start with `idPrefix`. */
  finish(idPrefix: string): MessageCall[];
}

/** Creates an empty gatherer for one reply. */
export function createCallGatherer(): CallGatherer {
  const calls: OpenCall[] = [];
  const byId = new Map<string, OpenCall>();
  const byIndex = new Map<number, OpenCall>();
  let latest: OpenCall | undefined;

  function find(fragment: CallFragment): OpenCall | undefined {
    const known = fragment.id ? byId.get(fragment.id) : undefined;
    const candidate = known ?? guess(fragment);
    return candidate !== undefined && isNextHead(candidate, fragment) ? undefined : candidate;
  }

  /** Where a fragment without a known id belongs. Nothing begins without a name, so such a one continues something. */
  function guess({ index, id, function: part }: CallFragment): OpenCall | undefined {
    const hasIndex = typeof index === 'number';
    const atIndex = hasIndex ? byIndex.get(index) : undefined;
    if (part?.name) return id ? undefined : hasIndex ? atIndex : latest;
    return atIndex ?? (id ? undefined : latest);
  }

  function open(): OpenCall {
    const call: OpenCall = { position: calls.length, id: '', tool: '', pieces: [], characters: 0 };
    calls.push(call);
    return call;
  }

  return {
    add(fragment) {
      const piece = fragment.function?.arguments ?? '';
      if (!fragment.id && !fragment.function?.name && piece === '') return null;
      const call = find(fragment) ?? open();
      latest = call;
      if (typeof fragment.index === 'number') byIndex.set(fragment.index, call);
      if (fragment.id) {
        call.id ||= fragment.id;
        byId.set(fragment.id, call);
      }
      if (call.tool === '') call.tool = fragment.function?.name ?? '';
      if (piece !== '') call.pieces.push(piece);
      call.characters += piece.length;
      return call;
    },
    finish(idPrefix) {
      const taken = new Set<string>();
      return calls.map((call) => {
        // Results are paired with calls by id, so one that is missing or given twice is replaced.
        const id = call.id === '' || taken.has(call.id) ? `${idPrefix}${call.position}` : call.id;
        taken.add(id);
        const text = call.pieces.join('');
        // A call without arguments arrives as no text at all from some servers.
        return { id, tool: call.tool, arguments: text.trim() === '' ? '{}' : text };
      });
    },
  };
}

/** Whether the fragment begins another call; some servers only repeat name and id with every fragment. */
function isNextHead(call: OpenCall, fragment: CallFragment): boolean {
  const name = fragment.function?.name ?? '';
  if (name === '' || call.tool === '') return false;
  if (name !== call.tool) return call.pieces.length === 0 || isWholeJson(call.pieces);
  return Boolean(fragment.function?.arguments) && isWholeJson(call.pieces);
}

function isWholeJson(pieces: readonly string[]): boolean {
  // Arguments are an object. Parsing them anew for each piece that cannot be their end costs seconds for a long text.
  const last = pieces.at(-1)?.trimEnd() ?? '';
  if (last !== '' && !last.endsWith('}')) return false;
  try {
    JSON.parse(pieces.join(''));
    return true;
  } catch {
    return false;
  }
}
