// Everything that a call will do, found out without doing it: its acts judged by the present policy, the finished change or
// command, and what all of that depends on. A question shows it, and just before the start it is found out again.
import { hash } from 'node:crypto';
import type { JudgedAct, ResolvedAct } from '../../shared/act.ts';
import type { NamedFile } from '../../shared/approval.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { DigestSubject } from '../approval/to-digest.ts';
import type { Stance } from '../policy/policy.ts';
import type { PreparedCall, ToolContext } from '../tool/tool.ts';
import type { CallPorts } from './driver-ports.ts';
import { type ForeseenFiles, foreseeFiles, foreseeHash } from './foresee-files.ts';
import { judgeActs } from './judge-call.ts';
import type { ReadyCall } from './proposed-call.ts';
import { recordAttempt, recordHop } from './record-attempt.ts';
import { readStaged, type StagedWork } from './staged-call.ts';
import { toFileHistory } from './to-file-history.ts';

export interface DescribedCall {
  readonly ready: ReadyCall;
  readonly plan: PreparedCall | StagedWork;
  readonly acts: readonly JudgedAct[];
  readonly subject: DigestSubject;
}

export interface DescribeOptions {
  readonly signal: AbortSignal;
  readonly permitted: 'allow' | 'ask';
  readonly foreseen: ForeseenFiles;
}

export async function describeCall(
  ports: CallPorts,
  place: EventPlace,
  ready: ReadyCall,
  options: DescribeOptions,
): Promise<DescribedCall> {
  const plan = await prepareCall(ports, place, ready, options);
  const acts = await judgeActs(ports, place, ready);
  const files = await ports.guard.fingerprint(acts);
  return {
    ready,
    plan,
    acts,
    subject: toSubject(ports, place, { ready, plan, acts, files, foreseen: options.foreseen }),
  };
}

/** What the tool would do, or what is left to do when its command has run. */
export async function prepareCall(
  ports: CallPorts,
  place: EventPlace,
  { call, tool, arguments: parsed }: ReadyCall,
  { signal, permitted, foreseen }: DescribeOptions,
): Promise<PreparedCall | StagedWork> {
  const { recorder, guard, reader, processes, stanceOf } = ports;
  const { state } = recorder;
  const { staged } = callOf(agentOf(state, place), call);
  if (staged !== null) return readStaged(reader, staged);
  const stance: Stance = stanceOf(state, place.agentId);
  const files = guard.files(stance, permitted);
  const history = toFileHistory(ports, place);
  const context: ToolContext = {
    files: foreseeFiles(files, foreseen),
    commands: guard.commands(stance, (attempt) => recordAttempt(ports, place, call, attempt)),
    fetches: guard.fetches(stance, permitted, (hop) => recordHop(ports, place, call, hop)),
    processes,
    permitted,
    unasked: state.settings.posture === 'all' ? 'ask' : 'allow',
    history: {
      ...history,
      lastSeen: (path) => foreseeHash(files, foreseen, path) ?? history.lastSeen(path),
    },
    signal,
  };
  return tool.prepare(parsed, context);
}

interface SubjectParts extends Pick<DescribedCall, 'ready' | 'plan' | 'acts'> {
  readonly files: readonly NamedFile[];
  readonly foreseen: ForeseenFiles;
}

function toSubject({ guard, recorder, stanceOf }: CallPorts, place: EventPlace, parts: SubjectParts): DigestSubject {
  const { ready, plan, acts, files, foreseen } = parts;
  const commands = guard.commands(stanceOf(recorder.state, place.agentId));
  return {
    tool: ready.tool.name,
    argumentsHash: hash('sha256', JSON.stringify(ready.arguments)),
    acts: toDigestActs(acts),
    directory: guard.workspace.path,
    environment: plan.kind === 'command' ? commands.environmentNames : [],
    files: files.map((file) => {
      const bytes = foreseen.get(file.path);
      return bytes === undefined ? file : { path: file.path, hash: hash('sha256', bytes) };
    }),
    contentHash: toContentHash(plan),
  };
}

function toContentHash(plan: PreparedCall | StagedWork): string | null {
  if (plan.kind === 'apply') return plan.hash;
  return plan.kind === 'change' ? hash('sha256', plan.after) : null;
}

/** How a directory takes letter case may only show once something lies in it; it is no part of what will happen. */
export function toDigestActs(acts: readonly JudgedAct[]): ResolvedAct[] {
  return acts.map(({ act }) => ('letterCase' in act ? { ...act, letterCase: 'exact' } : act));
}
