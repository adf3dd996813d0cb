// One number for everything that will happen when a call is carried out. An answer names it, so that it is an answer to just
// that; when the number is another one later, the differences are told in words.
import { hash } from 'node:crypto';
import type { ResolvedAct } from '../../shared/act.ts';
import type { NamedFile } from '../../shared/approval.ts';
import { toCanonicalText } from '../../shared/to-canonical-text.ts';

export interface DigestSubject {
  readonly tool: string;
  /** Hash of the arguments' text. */
  readonly argumentsHash: string;
  /** In the order in which they would happen. */
  readonly acts: readonly ResolvedAct[];
  /** Where a command would run. */
  readonly directory: string;
  /** Names of the variables a command would get; their order means nothing. */
  readonly environment: readonly string[];
  /** Files all of this depends on, as they are; their order means nothing. */
  readonly files: readonly NamedFile[];
  /** Hash of what would be written; null when nothing would. */
  readonly contentHash: string | null;
}

/** SHA-256 in hexadecimal: equal for what will happen in the same way, another one for whatever else. */
export function toDigest(subject: DigestSubject): string {
  const { tool, argumentsHash, acts, directory, environment, files, contentHash } = subject;
  const sorted = { environment: [...environment].sort(), files: files.map(toCanonicalText).sort() };
  return hash('sha256', toCanonicalText({ tool, argumentsHash, acts, directory, contentHash, ...sorted }));
}

/** What `after` does not have in common with `before`, as sentences for people; empty only when both have one digest. */
export function describeDifferences(before: DigestSubject, after: DigestSubject): string[] {
  if (toDigest(before) === toDigest(after)) return [];
  const differences = [
    ...(before.tool === after.tool ? [] : [`it is a call of ${after.tool} now, not of ${before.tool}`]),
    ...(before.argumentsHash === after.argumentsHash ? [] : ['the arguments of the call are others now']),
    ...describeActs(before.acts, after.acts),
    ...(before.directory === after.directory ? [] : [`it would run in ${after.directory}, not in ${before.directory}`]),
    ...describeEnvironment(before.environment, after.environment),
    ...describeFiles(before.files, after),
    ...(before.contentHash === after.contentHash ? [] : ['what would be written is not the same text any more']),
  ];
  if (differences.length === 0) return ['the same things would happen in another order'];
  const more = differences.length - maxDifferences;
  return more <= 0 ? differences : [...differences.slice(0, maxDifferences), `and ${more} more`];
}

const maxDifferences = 20;

function describeActs(before: readonly ResolvedAct[], after: readonly ResolvedAct[]): string[] {
  const nameOf = ({ kind, target }: ResolvedAct): string => `${kind} ${target}`;
  const formerActs = new Map(before.map((act) => [nameOf(act), toCanonicalText(act)]));
  const presentNames = new Set(after.map(nameOf));
  return [
    ...before.flatMap((act) => (presentNames.has(nameOf(act)) ? [] : [`it would no longer ${nameOf(act)}`])),
    ...after.flatMap((act) => {
      const former = formerActs.get(nameOf(act));
      if (former === undefined) return [`it would now also ${nameOf(act)}`];
      return former === toCanonicalText(act) ? [] : [`${nameOf(act)} means something else than it did`];
    }),
  ];
}

function describeEnvironment(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => `the command would also get the variable ${name}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `the command would not get the variable ${name}`),
  ];
}

function describeFiles(before: readonly NamedFile[], { files, acts }: DigestSubject): string[] {
  const programs = new Map(
    acts.flatMap((act) => (act.kind === 'exec' ? [[act.program?.real, act.program?.written]] : [])),
  );
  const former = new Map(before.map(({ path, hash }) => [path, hash]));
  const present = new Set(files.map(({ path }) => path));
  const changed = files.flatMap(({ path, hash }) => {
    const was = former.get(path);
    if (was === hash) return [];
    const program = programs.get(path);
    if (program !== undefined && was !== undefined) return [`the program ${program} is another file now`];
    return [describeFile(path, was, hash)];
  });
  return [
    ...changed,
    ...before.filter(({ path }) => !present.has(path)).map(({ path }) => `it no longer depends on ${path}`),
  ];
}

function describeFile(path: string, was: string | null | undefined, is: string | null): string {
  if (was === undefined) return `it now depends on ${path}`;
  if (was === null) return `${path} is there now`;
  return is === null ? `${path} is gone` : `${path} is no longer what it was`;
}
