// The layers that lie underneath every policy, in the order in which they are reported: a tainted agent's write of a
// protected file is told as that, since it can be answered in fewer ways.
import type { Layer } from './policy.ts';
import { protectedLayer } from './protected-layer.ts';
import { provenanceLayer } from './provenance-layer.ts';
import { secretsLayer } from './secrets-layer.ts';

export const builtInLayers: readonly Layer[] = [secretsLayer, provenanceLayer, protectedLayer];
