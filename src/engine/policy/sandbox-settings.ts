// What the person has said about the enclosure of commands.
import type { PolicyScope } from './compose-policy.ts';
import type { MinimumIsolation } from './isolation.ts';

export interface SandboxSettings {
  readonly minimumIsolation: MinimumIsolation;
  /** Absolute paths: what commands may read beside the system and its toolchains, and where they see it. */
  readonly mounts: readonly { readonly source: string; readonly target: string }[];
}

/** The settings of the person's own policy; no other scope has a say. */
export function toSandboxSettings(scopes: readonly PolicyScope[]): SandboxSettings {
  const own = scopes.find(({ origin }) => origin === 'user')?.policy.sandbox;
  const mounts = own?.mounts ?? [];
  return {
    minimumIsolation: own?.minimumIsolation ?? 'isolated',
    mounts: mounts.map(({ source, target = source }) => ({ source, target })),
  };
}
