// The globs of searches, as models write them: `*` and `?` stay inside one part, `**` spans parts, `{a,b}` lists choices,
// and a glob without `/` is tried on the last part. Everything else is itself, brackets too: `[id].tsx` is a file name.
// It is not the policies' matcher: there `*` spans `/`, so that a deny cannot be undercut by depth.
import { matchGlob } from '../policy/match-pattern.ts';

const maxChoices = 256;

/** A test for workspace paths. Linear in the glob for each part, whatever the glob. */
export function createSearchGlob(glob: string): (path: string) => boolean {
  const choices = expandBraces(glob.replace(/^(\.?\/)+/, '')).map((choice) => choice.split('/').filter(isMeaningful));
  return (path) => {
    const parts = path.split('/');
    return choices.some((choice) => matchParts(choice, choice.length === 1 ? parts.slice(-1) : parts));
  };
}

/** `a{b,c}d` becomes `abd` and `acd`; a brace that is not closed, or too many choices, is taken literally. */
function expandBraces(glob: string): string[] {
  let expanded = [glob];
  for (;;) {
    const next = expanded.flatMap(expandFirst);
    if (next.length === expanded.length || next.length > maxChoices) return expanded;
    expanded = next;
  }
}

/** An innermost group: it holds no brace itself, and at least one comma. */
function expandFirst(glob: string): string[] {
  const group = /\{([^{},]*,[^{}]*)\}/.exec(glob);
  if (!group?.[1]) return [glob];
  const [before, after] = [glob.slice(0, group.index), glob.slice(group.index + group[0].length)];
  return group[1].split(',').map((choice) => before + choice + after);
}

function isMeaningful(part: string, place: number, parts: readonly string[]): boolean {
  return part !== '' && !(part === '**' && parts[place - 1] === '**');
}

/** The walk of `matchGlob` over parts, with `**` for its star. */
function matchParts(globs: readonly string[], parts: readonly string[]): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (place < parts.length) {
    const glob = globs[at];
    if (glob === '**') {
      star = at++;
      resume = place;
    } else if (glob !== undefined && matchGlob(glob, parts[place] ?? '')) {
      at++;
      place++;
    } else if (star !== -1) {
      at = star + 1;
      place = ++resume;
    } else return false;
  }
  return globs.slice(at).every((glob) => glob === '**');
}
