// Commands at the floor: with caps, without a boundary.
import { createFloorBackend } from '../../src/engine/sandbox/floor/floor-backend.ts';
import type { Sandbox } from '../../src/engine/sandbox/sandbox.ts';
import { toSandbox } from '../../src/engine/sandbox/to-sandbox.ts';

export function createFloorSandbox(): Sandbox {
  return toSandbox(createFloorBackend());
}
