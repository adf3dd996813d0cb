import { describe, expect, it } from 'vitest';
import { createTools } from './create-tools.ts';
import { readFile } from './read-file.ts';
import { toToolSpec } from './to-tool-spec.ts';

describe('toToolSpec', () => {
  it('tells a model the schema that its arguments are parsed with', () => {
    expect(toToolSpec(readFile)).toEqual({
      name: 'read_file',
      description: readFile.description,
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', minLength: 1, description: expect.any(String) },
          fromLine: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: expect.any(String) },
          toLine: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: expect.any(String) },
        },
        required: ['path'],
        additionalProperties: false,
      },
    });
  });

  it('has the same tools in the same order each time, with the documented arguments', () => {
    const specs = [...createTools({ commands: true, network: true, plan: true, agents: true }).values()].map(
      toToolSpec,
    );
    expect(specs.map(({ name, parameters }) => [name, Object.keys(Object(parameters.properties))])).toEqual([
      ['read_file', ['path', 'fromLine', 'toLine']],
      ['write_file', ['path', 'content']],
      ['edit_file', ['path', 'old', 'new']],
      ['list_dir', ['path']],
      ['find', ['pattern']],
      ['grep', ['pattern', 'path', 'glob']],
      ['exec', ['argv', 'timeoutSeconds']],
      ['shell', ['command', 'timeoutSeconds']],
      ['git_status', []],
      ['git_diff', ['staged', 'paths']],
      ['git_log', ['count', 'path']],
      ['git_add', ['paths']],
      ['git_commit', ['message', 'paths']],
      ['git_branch', ['action', 'name']],
      ['git_worktree', ['action', 'path', 'branch']],
      ['process_start', ['argv', 'command']],
      ['process_read', ['process', 'cursor', 'waitSeconds']],
      ['process_write', ['process', 'text', 'isLast']],
      ['process_signal', ['process', 'signal']],
      ['process_end', ['process']],
      ['process_list', []],
      ['fetch_url', ['url']],
      ['propose_plan', ['plan']],
      ['spawn_agent', ['goal', 'verification', 'tools', 'deny', 'budgets', 'role', 'model', 'worktree', 'detached']],
      ['wait_agents', ['agents', 'seconds']],
      ['send_message', ['to', 'text']],
      ['read_messages', ['seconds']],
    ]);
  });
});
