// What calls make of the files of the workspace: which are different, who changed each of them last, and what an agent takes
// over with a file from the one that wrote it.
import { worktreeOf } from './agent-tree.ts';
import type { SeenFile } from './event.ts';
import { inheritSource, type LabelSource } from './provenance.ts';
import type { AgentState, FileWriter, RunState } from './run-state.ts';

/** How many paths a run remembers to have changed; a check tells of its own inputs among them. */
const maxChanged = 10_000;

/** A list of changed paths as a set: a run changes thousands of them, and most of them one by one. */
const knownPaths = new WeakMap<readonly string[], Set<string>>();

export interface FilesChanged extends Pick<FileWriter, 'step' | 'hash'> {
  readonly paths: readonly string[];
}

export function changeFiles(state: RunState, agent: AgentState, { paths, step, hash }: FilesChanged): void {
  const { settings } = state;
  const { changed, writers } = worktreeOf(state, agent) ?? state;
  const known = knownPaths.get(changed) ?? new Set(changed);
  knownPaths.set(changed, known);
  for (const path of paths) {
    if (!known.has(path)) {
      if (changed.length >= maxChanged) continue;
      known.add(path);
      changed.push(path);
    }
    if (settings.containment === null) continue;
    // What stood in it may stand there still.
    const sensitive = agent.label.sensitive ?? findSensitive(state, agent, path);
    writers[path] = { agentId: agent.agentId, step, hash, sensitive };
  }
}

/** What another agent should have shown to nobody it may have written down. */
export function seeFiles(state: RunState, agent: AgentState, files: readonly SeenFile[], step: number): void {
  for (const { path, hash } of files) {
    agent.files[path] = hash;
    const sensitive = findSensitive(state, agent, path);
    if (sensitive !== null) agent.label.sensitive ??= { ...sensitive, step };
  }
}

function findSensitive(state: RunState, agent: AgentState, path: string): LabelSource | null {
  const { writers } = worktreeOf(state, agent) ?? state;
  const { agentId } = agent;
  const writer = Object.hasOwn(writers, path) ? writers[path] : undefined;
  if (writer === undefined || writer.sensitive === null) return null;
  return writer.agentId === agentId ? writer.sensitive : inheritSource(writer.sensitive, writer.agentId);
}
