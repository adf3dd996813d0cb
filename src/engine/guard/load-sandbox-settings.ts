// What the person's own policy says about the enclosure of commands, with every mount looked up: one that is missing, or
// that would show a command the engine's home with its credential, stops everything rather than being left out.
import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { type SandboxSettings, toSandboxSettings } from '../policy/sandbox-settings.ts';
import { loadUserScope } from './load-scopes.ts';

/** Sources are real paths. Throws `policy-invalid` with the name of the file. */
export function loadSandboxSettings(home: string): SandboxSettings {
  const scopes = loadUserScope(home);
  const { minimumIsolation, mounts } = toSandboxSettings(scopes);
  const file = scopes[0]?.file ?? '';
  return {
    minimumIsolation,
    mounts: mounts.map((mount) => ({ ...mount, source: findSource(mount.source, home, file) })),
  };
}

function findSource(source: string, home: string, file: string): string {
  const real = toReal(source);
  if (real === null) throw refuse(source, 'is not there or cannot be looked at', file);
  const realHome = toReal(home) ?? home;
  if (isInside(realHome, real) || isInside(real, realHome))
    throw refuse(source, 'holds what the engine keeps for itself', file);
  return real;
}

function toReal(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

function refuse(source: string, reason: string, file: string): EngineError {
  return new EngineError('policy-invalid', `Commands cannot be shown ${JSON.stringify(source)}: it ${reason}.`, {
    remedy: `Correct the mounts of the policy ${file}.`,
  });
}
