// Has a rule remembered beyond its run, in a policy file of the person's home. The file is replaced as a whole by one that
// has one rule more and is otherwise the same, byte for byte; a file that cannot be understood is left alone.
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { RememberedRule } from '../../shared/approval.ts';
import { EngineError, isEngineError } from '../../shared/engine-error.ts';
import { parsePolicyFile } from '../policy/parse-policy-file.ts';
import type { FileRule, PolicyFile } from '../policy/policy-file.ts';
import { addRule, findRuleLine } from './add-rule.ts';
import { holdFileLock } from './hold-file-lock.ts';
import { createRuleReach } from './rule-reach.ts';
import { readScopeText, replaceScopeText } from './scope-text.ts';
import { toLikelyAct } from './to-likely-act.ts';

export interface RememberParams {
  /** The engine's home; nothing outside is ever written. */
  readonly home: string;
  /** The policy file of a scope of the person. */
  readonly file: string;
  readonly rule: RememberedRule;
  readonly nowMs: number;
}

export interface RememberedPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** False where the file said so already, and nothing was written. */
  readonly isNew: boolean;
  /** A stricter rule of the same file, because of which an allow changes nothing; null for none. */
  readonly overruledBy: { readonly layer: string; readonly rule: FileRule } | null;
}

/** How long another process may take to change the file. */
const waitMs = 5_000;

const emptyFile = '// What this person lets agents do, and what not. Written by io-studio and by hand.\n{\n}\n';

/** Writes the rule down, or finds it there. Throws `remember-refused`, and then nothing was changed. */
export async function rememberRule(params: RememberParams): Promise<RememberedPlace> {
  const { home, file } = params;
  try {
    prepareDirectory(home, file);
    const held = await holdFileLock(file, waitMs, () => writeDown(params));
    if (held === null) throw refuse(file, `another process holds ${file}.*.lock, for ${waitMs / 1000} seconds now`);
    return held.result;
  } catch (cause) {
    if (isEngineError(cause) && cause.code === 'remember-refused') throw cause;
    throw refuse(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function prepareDirectory(home: string, file: string): void {
  const directory = dirname(file);
  if (!isInside(resolve(file), resolve(home))) throw refuse(file, `it does not lie in the home ${home}`);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // Links inside the home could still lead anywhere, a workspace among others.
  const realHome = realpathSync.native(home);
  const real = realpathSync.native(findExisting(directory));
  if (real !== realHome && !isInside(real, realHome)) throw refuse(file, `it does not lie in the home ${home}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/** The deepest directory on the way that is there; the home is, so it comes to an end. */
function findExisting(directory: string): string {
  return existsSync(directory) ? directory : findExisting(dirname(directory));
}

function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(outer, way) === inner;
}

function writeDown({ file, rule, nowMs }: RememberParams): RememberedPlace {
  const present = readScopeText(file);
  const text = present?.text ?? emptyFile;
  const policy = parsePolicyFile(text, file);
  const overruledBy = findOverruling(policy, rule);
  const there = findRule(policy, (each) => saysAlready(each, rule));
  if (there !== null) return { file, line: findRuleLine(text, ...there), isNew: false, overruledBy };
  const reason = `remembered on ${new Date(nowMs).toISOString().slice(0, 10)}`;
  const after = addRule(text, toRuleText({ ...rule, reason }));
  const added = findRule(parsePolicyFile(after, file), (each) => saysAlready(each, rule) && each.reason === reason);
  if (added === null) throw refuse(file, 'there is no place in it for another rule');
  replaceScopeText(file, after, present);
  return { file, line: findRuleLine(after, ...added), isNew: true, overruledBy };
}

/** A rule without conditions says what a rule under some isolation says, and more. */
function saysAlready(there: FileRule, { act, effect, pattern, isolation }: RememberedRule): boolean {
  const isSame = there.act === act && there.effect === effect && there.pattern === pattern;
  const isPlain = there.when === undefined && there.except === undefined;
  return isSame && isPlain && (there.isolation === undefined || there.isolation === isolation);
}

/** The places of its layer and of itself. */
function findRule(policy: PolicyFile, isMeant: (rule: FileRule) => boolean): [layer: number, rule: number] | null {
  for (const [layer, { rules }] of (policy.layers ?? []).entries()) {
    const rule = rules.findIndex(isMeant);
    if (rule !== -1) return [layer, rule];
  }
  return null;
}

/** The pattern is taken for a target: a rule that covers all of it covers its own text too. */
function findOverruling(policy: PolicyFile, { act, effect, pattern }: RememberedRule): RememberedPlace['overruledBy'] {
  if (effect !== 'allow') return null;
  const target = toLikelyAct(act, pattern);
  for (const { name, rules } of policy.layers ?? []) {
    const rule = rules.find(
      (each) => each.effect !== 'allow' && each.when === undefined && createRuleReach(each).speaksOf(target),
    );
    if (rule !== undefined) return { layer: name, rule };
  }
  return null;
}

function toRuleText({ act, effect, pattern, isolation, reason }: RememberedRule & { readonly reason: string }): string {
  const fields = { act, effect, pattern, isolation, reason };
  const members = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`"${name}": ${JSON.stringify(value)}`],
  );
  return `{ ${members.join(', ')} }`;
}

function refuse(file: string, why: string, cause?: unknown): EngineError {
  return new EngineError('remember-refused', `The rule is not remembered in ${file}: ${why}`, {
    remedy: 'Nothing was changed. Set that right and remember the rule again, or write it into the file by hand.',
    cause,
  });
}
