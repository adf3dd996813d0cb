// The libraries and how each is set, by the names that choose them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from './engine.ts';

export const libraries: Readonly<Record<string, Library>> = {
  raw: toLibrary('raw.ts'),
  'raw+sqlite': toLibrary('raw.ts', { keeps: 'journal' }),
  'io-studio-library': toLibrary('io-studio.ts', { keeps: 'journal', profile: 'io-studio' }),
  ai: toLibrary('peer/ai.ts'),
  'openai-agents': toLibrary('peer/openai-agents.ts'),
  'openai-agents+filesession': toLibrary('peer/openai-agents.ts', { keeps: 'journal' }),
  langgraph: toLibrary('peer/langgraph.ts'),
  'langgraph+sqlite-async': toLibrary('peer/langgraph.ts', toDurability('async')),
  'langgraph+sqlite-sync': toLibrary('peer/langgraph.ts', toDurability('sync')),
  'langgraph+sqlite-exit': toLibrary('peer/langgraph.ts', toDurability('exit')),
  mastra: toLibrary('peer/mastra.ts'),
  'mastra-durable+libsql': toLibrary('peer/mastra.ts', { keeps: 'journal' }),
  ...toDatabaseLibraries(process.env.DBOS_PG),
};

/** What has to be installed for a module of `peer`. */
const packages: Readonly<Record<string, string>> = {
  'peer/ai.ts': 'ai',
  'peer/openai-agents.ts': '@openai/agents',
  'peer/langgraph.ts': '@langchain/langgraph',
  'peer/mastra.ts': '@mastra/core',
  'peer/dbos.ts': '@dbos-inc/dbos-sdk',
};

export function isInstalled({ module }: Library): boolean {
  const name = packages[module];
  return name === undefined || existsSync(join(import.meta.dirname, '../node_modules', name));
}

function toLibrary(module: string, rest: Partial<Library> = {}): Library {
  return { module, profile: 'library', keeps: 'nothing', environment: {}, ...rest };
}

function toDurability(durability: string): Partial<Library> {
  return { keeps: 'journal', environment: { LANGGRAPH_DURABILITY: durability } };
}

/** It keeps its state in a Postgres, so it takes part where one is named. */
function toDatabaseLibraries(url: string | undefined): Record<string, Library> {
  return url === undefined ? {} : { 'dbos+postgres': toLibrary('peer/dbos.ts', { environment: { DBOS_PG: url } }) };
}
