import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestDetails } from '../../shared/approval.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const act: fc.Arbitrary<RequestDetails['acts'][number]['act']> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('read' as const, 'write' as const),
    target: text,
    real: fc.option(text),
    letterCase: fc.constantFrom('exact' as const, 'ignored' as const),
    outside: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('exec' as const),
    target: text,
    program: fc.option(fc.record({ written: text, real: fc.option(text), isSystem: fc.boolean() })),
    opaque: fc.option(text),
  }),
  fc.record({ kind: fc.constant('net' as const), target: text, address: fc.option(text) }),
);
const verdict: fc.Arbitrary<RequestDetails['acts'][number]['verdict']> = fc.record({
  effect: fc.constantFrom('allow', 'ask', 'deny'),
  rule: fc.option(text),
  layer: text,
  origin: fc.constantFrom('built-in', 'user', 'project', 'app', 'run', 'contract', 'repository', 'agent', 'default'),
  because: text,
  wouldChange: fc.option(text),
});
const source = fc.record(
  { origin: text, target: text, step: fc.nat(), via: fc.array(text, { maxLength: 3 }) },
  { requiredKeys: ['origin', 'target', 'step'] },
);
const details: fc.Arbitrary<RequestDetails> = fc.record({
  tool: text,
  goal: text,
  workspace: text,
  acts: fc.array(fc.record({ act, verdict }), { minLength: 1, maxLength: 3 }),
  argumentsHash: text,
  arguments: text,
  contentHash: fc.option(text),
  content: fc.record({ kind: fc.constantFrom('diff', 'text', 'command', 'plan'), text }),
  environment: fc.array(text, { maxLength: 3 }),
  files: fc.array(fc.record({ path: text, hash: fc.option(text) }), { maxLength: 3 }),
  untrusted: fc.option(source),
  sensitive: fc.option(source),
  isolation: text,
  proposals: fc.array(fc.record({ act: fc.constantFrom('read', 'write', 'exec', 'net'), pattern: text }), {
    maxLength: 3,
  }),
  differences: fc.array(text, { maxLength: 3 }),
});

describe('the description of a request', () => {
  it('comes back whole from where it is kept (openai/openai-agents-js#131)', () => {
    fc.assert(
      fc.property(details, (given) => {
        const kept = new TextEncoder().encode(JSON.stringify(given));
        expect(RequestDetails.parse(JSON.parse(new TextDecoder().decode(kept)))).toEqual(given);
      }),
    );
  });

  it('is refused when a field of it is missing, and never filled in', () => {
    fc.assert(
      fc.property(details, fc.constantFrom(...Object.keys(RequestDetails.shape)), (given, name) => {
        const rest = Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));
        expect(RequestDetails.safeParse(rest).success).toBe(false);
      }),
    );
  });
});
