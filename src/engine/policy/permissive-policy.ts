// The policy of somebody who wants no questions. What is built in still lies underneath.
import { builtInLayers } from './built-in-layers.ts';
import type { Policy } from './policy.ts';

export const permissivePolicy: Policy = {
  layers: builtInLayers,
  defaults: { read: 'allow', write: 'allow', exec: 'allow', net: 'allow' },
};
