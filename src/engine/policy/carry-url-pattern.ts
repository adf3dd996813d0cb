// URL patterns of other tools. What is judged here is the host and port that is dialled, not the page.
import { type Aim, type Carried, exactly, leftOut } from './carried-pattern.ts';
import { findPatternProblem } from './find-pattern-problem.ts';

/** Patterns for net acts. */
export function carryUrlPattern(url: string, aim: Aim): Carried {
  if (aim === 'narrow') {
    const host = toHost(/^https:\/\/([a-z0-9.-]+)\/\*+$/i.exec(url));
    return host === null
      ? leftOut('only a whole host can be said here, as `https://host/*`')
      : exactly({ pattern: `${host}:443` });
  }
  const host = toHost(/^(?:https?|\*+):\/\/([a-z0-9.-]+)(?:[/:].*)?$/is.exec(url));
  if (host === null) return { patterns: [{ pattern: '*' }], note: 'said of every host, as it names no single one' };
  return { patterns: [{ pattern: host }], note: 'said of the whole host' };
}

/** Null where none is named in the form that hosts are judged in. */
function toHost(found: RegExpExecArray | null): string | null {
  const host = found?.[1] ?? '';
  return findPatternProblem('net', host) === null ? host : null;
}
