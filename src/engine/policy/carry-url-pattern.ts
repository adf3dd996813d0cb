// URL patterns of other tools. What is judged here is the host and port that is dialled, not the page.
import { type Aim, type Carried, exactly, leftOut } from './carried-pattern.ts';

/** Patterns for net acts. */
export function carryUrlPattern(url: string, aim: Aim): Carried {
  if (aim === 'narrow') {
    const [, host = null] = /^https:\/\/([a-z0-9.-]+)\/\*+$/i.exec(url) ?? [];
    return host === null
      ? leftOut('only a whole host can be said here, as `https://host/*`')
      : exactly({ pattern: `${host}:443` });
  }
  const [, host = null] = /^(?:https?|\*+):\/\/([a-z0-9.-]+)(?:[/:].*)?$/is.exec(url) ?? [];
  if (host === null) return { patterns: [{ pattern: '*' }], note: 'said of every host, as it names no single one' };
  return { patterns: [{ pattern: host }], note: 'said of the whole host' };
}
