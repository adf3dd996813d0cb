import { findToolchains } from './find-toolchains.ts';
import type { Toolchain, ToolchainName } from './toolchain.ts';

/** What commands get of a language, as the trace and people are told. */
export interface DescribedToolchain {
  readonly name: ToolchainName;
  /** The compiler or interpreter that really runs. */
  readonly program: string;
  /** What is shown to commands for it, beside the system's directories. */
  readonly mounts: readonly string[];
}

export function describeToolchains(toolchains: readonly Toolchain[] = findToolchains()): readonly DescribedToolchain[] {
  return toolchains.map(({ name, program, mounts, caches }) => ({
    name,
    program,
    mounts: [...mounts, ...caches].map(({ source }) => source),
  }));
}
