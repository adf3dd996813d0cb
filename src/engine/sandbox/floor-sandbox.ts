// Commands at the floor: with caps, without a boundary.
import { createFloorBackend } from './floor/floor-backend.ts';
import type { Sandbox } from './sandbox.ts';
import { toSandbox } from './to-sandbox.ts';

export function createFloorSandbox(): Sandbox {
  return toSandbox(createFloorBackend());
}
