// The same three tools for every library but ours, which brings its own.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

export const system = 'You are a coding agent. Use the tools.';

const ReadArguments = z.object({ path: z.string() });
const WriteArguments = z.object({ path: z.string(), content: z.string() });
const RunArguments = z.object({ command: z.string() });

export interface LibraryTool {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  /** The same as JSON schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Parses the arguments by itself. */
  execute(args: unknown): Promise<string>;
}

export const libraryTools: readonly LibraryTool[] = [
  {
    name: 'read_file',
    description: 'Read a file',
    schema: ReadArguments,
    parameters: toParameters(['path']),
    execute: async (args) => readFile(ReadArguments.parse(args).path, 'utf8'),
  },
  {
    name: 'write_file',
    description: 'Write a file',
    schema: WriteArguments,
    parameters: toParameters(['path', 'content']),
    async execute(args) {
      const { path, content } = WriteArguments.parse(args);
      await writeFile(path, content);
      return 'ok';
    },
  },
  {
    name: 'run_command',
    description: 'Run a shell command',
    schema: RunArguments,
    parameters: toParameters(['command']),
    execute: async (args) => runCommand(RunArguments.parse(args).command),
  },
];

export async function callTool(name: string, args: unknown): Promise<string> {
  const tool = libraryTools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool.execute(args);
}

function toParameters(names: readonly string[]): Record<string, unknown> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: [...names], additionalProperties: false };
}

const runCommand = (command: string): Promise<string> =>
  new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], (error, output, problems) =>
      resolve(`exit ${error?.code ?? 0}\n${output}${problems}`),
    );
  });
