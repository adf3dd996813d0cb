// A workspace of many small files with a guard over it, whose commands run in the sandbox that is measured.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Guard } from '../../src/engine/guard/guard.ts';
import { openGuard } from '../../src/engine/guard/open-guard.ts';
import { defaultPolicy } from '../../src/engine/policy/default-policy.ts';
import type { Stance } from '../../src/engine/policy/policy.ts';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import { toSandbox } from '../../src/engine/sandbox/to-sandbox.ts';

export interface Repository {
  readonly path: string;
  readonly guard: Guard;
  readonly stance: Stance;
}

export interface RepositoryOptions {
  /** Made here. */
  readonly path: string;
  readonly files: number;
  readonly backend: Backend;
}

/** The policy hides one file of it. */
export async function openRepository({ path, files, backend }: RepositoryOptions): Promise<Repository> {
  for (let number = 0; number < files; number++) {
    const file = join(path, toRelativePath(number));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export const value = ${number};\n`.repeat(20));
  }
  writeFileSync(join(path, '.env'), 'TOKEN=secret\n');
  const guard = await openGuard({ workspace: path, home: null, sandbox: toSandbox(backend) });
  return { path, guard, stance: { policy: defaultPolicy, isTainted: false, isolation: backend.isolation } };
}

/** Twenty files in a directory, and ten of those in another. */
function toRelativePath(number: number): string {
  return `area-${Math.floor(number / 200)}/part-${Math.floor(number / 20) % 10}/module-${number}.ts`;
}
