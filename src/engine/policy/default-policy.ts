// The policy of a run for which nobody chose another: look freely, ask before changing or running, never dial out.
import { builtInLayers } from './built-in-layers.ts';
import type { Policy, PolicyDefaults } from './policy.ts';

export const builtInDefaults: PolicyDefaults = { read: 'allow', write: 'ask', exec: 'ask', net: 'deny' };

export const defaultPolicy: Policy = { layers: builtInLayers, defaults: builtInDefaults };
