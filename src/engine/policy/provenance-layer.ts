// An agent that was shown what others may have written, and what nobody else should see, could be talked into handing the
// one to the other. From then on whatever leaves the machine, or later runs with the person's rights, is asked about, and
// no rule answers that in advance.
import type { Layer, Rule } from './policy.ts';
import { protectedRules } from './protected-layer.ts';

const reason = 'the agent holds both input that others may have written and input that nobody else should see';

const anyHost: Rule = { act: 'net', effect: 'ask', pattern: '*', when: 'tainted', reason };

/** What no sandbox encloses can send by means that no reader of command lines finds. */
const anyProgram: Rule = { act: 'exec', effect: 'ask', pattern: '*', when: 'tainted-unenclosed', reason };

export const provenanceLayer: Layer = {
  name: 'provenance',
  origin: 'built-in',
  rules: [anyHost, anyProgram, ...protectedRules.map((rule): Rule => ({ ...rule, when: 'tainted', reason }))],
  remedy: 'no rule answers it in advance, only an approval of this very act',
};
