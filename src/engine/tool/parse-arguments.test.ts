import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTools } from './create-tools.ts';
import { grep } from './grep.ts';
import { parseArguments } from './parse-arguments.ts';
import { readFile } from './read-file.ts';
import type { Tool } from './tool.ts';

describe('parseArguments', () => {
  it('gives what was written', () => {
    expect(parseArguments(readFile, '{"path":"a","fromLine":2}')).toEqual({
      kind: 'ok',
      arguments: { path: 'a', fromLine: 2 },
    });
  });

  it('takes no text for no arguments (brekkylab/ailoy#434)', () => {
    const tool: Tool = { ...grep, arguments: z.strictObject({}) };
    expect(['', '  ', '{}'].map((text) => parseArguments(tool, text))).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'ok', arguments: {} })),
    );
  });

  it('lists every problem with its path', () => {
    const parsed = parseArguments(readFile, '{"path":3,"fromLine":0,"other":1}');
    expect(parsed).toEqual({
      kind: 'unusable',
      message:
        'The arguments of read_file do not fit: path: Invalid input: expected string, received number; ' +
        'fromLine: Too small: expected number to be >=1; Unrecognized key: "other".',
    });
  });

  it.each(['{"path":"a"', '{path:"a"}', "{'path':'a'}", '{"path":"a",}', '```json\n{"path":"a"}\n```', '"a" extra'])(
    'does not repair %j (ahwurm/localharness#77)',
    (text) => {
      expect(parseArguments(readFile, text)).toEqual({
        kind: 'unusable',
        message: expect.stringMatching(/^The arguments of read_file are not valid JSON \(.*\)\.$/s),
      });
    },
  );

  it('never throws, whatever a model writes', () => {
    const tools = [...createTools({ commands: true, network: true, plan: true, agents: true }).values()];
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
    fc.assert(
      fc.property(fc.constantFrom(...tools), text, (tool, written) => {
        expect(['ok', 'unusable']).toContain(parseArguments(tool, written).kind);
      }),
    );
  });
});
