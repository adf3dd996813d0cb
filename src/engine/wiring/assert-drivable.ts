// A home that other machines can reach is read and not driven, unless whoever drives says that no other machine uses it.
import { assertUnshared } from '../journal/store-sharing.ts';
import type { RunSettingsParams } from '../run/engine.ts';
import type { EngineParts } from './engine-parts.ts';

/** Throws `store-shared`. Whatever reads only need not ask. */
export function assertDrivable(
  { home, environment }: Pick<EngineParts, 'home' | 'environment'>,
  { sharedHome }: Pick<RunSettingsParams, 'sharedHome'>,
): void {
  if ((sharedHome ?? environment.IO_STUDIO_SHARED_HOME) !== 'allow') assertUnshared(home);
}
