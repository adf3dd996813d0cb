// Gathers what a command changed, up to the most that is ever taken over: what is more is no edit of a workspace but the
// output of a build, and would have to be held in memory, judged and journaled entry by entry.
import type { Leavings, LostChange, WorkspaceChange } from '../sandbox.ts';

const maxChanges = 20_000;
/** Entries that are looked at: most of them may turn out to be unchanged. */
const maxVisits = 200_000;
const maxMebibytes = 64;

export type Side = 'before' | 'after';

export class ChangeCollector {
  readonly #changes: WorkspaceChange[] = [];
  readonly #lost: LostChange[] = [];
  readonly #bytes: Record<Side, number> = { before: 0, after: 0 };
  #visits = 0;
  #excess: string | null = null;

  /** True once nothing will be taken over. */
  get isOver(): boolean {
    return this.#excess !== null;
  }

  /** How many bytes may still come on one side. */
  room(side: Side): number {
    return maxMebibytes * 1024 * 1024 - this.#bytes[side];
  }

  /** Counts an entry that is looked at; returns how many there were. */
  visit(): number {
    if (++this.#visits > maxVisits) this.#exceed(`touched more than ${maxVisits} files and directories`);
    return this.#visits;
  }

  add(change: WorkspaceChange): void {
    this.#changes.push(change);
    for (const side of ['before', 'after'] as const) {
      const entry = change[side];
      if (entry?.kind === 'file') this.#bytes[side] += entry.bytes.length;
    }
    this.#count();
  }

  lose(lost: LostChange): void {
    this.#lost.push(lost);
    this.#count();
  }

  /** For a content that there is no room for. */
  exceedBytes(side: Side): void {
    if (side === 'after') this.#exceed(`wrote more than ${maxMebibytes} MiB to the workspace`);
    else
      this.#exceed(
        `removed or replaced more than ${maxMebibytes} MiB of the workspace`,
        'let it do so in smaller parts',
      );
  }

  toLeavings(): Leavings {
    if (this.#excess === null) return { kind: 'changes', changes: this.#changes, lost: this.#lost };
    return { kind: 'too-much', reason: this.#excess };
  }

  #count(): void {
    const count = this.#changes.length + this.#lost.length;
    if (count > maxChanges) this.#exceed(`changed more than ${maxChanges} paths of the workspace`);
  }

  #exceed(what: string, remedy = lessOutput): void {
    this.#excess ??= `the command ${what}, so that nothing of it was kept: ${remedy}`;
  }
}

const lessOutput = 'let it write large output to /tmp, or remove it before it ends';
