// How a library's agents are started in a process of their own.
import { join } from 'node:path';
import type { AgentSettings } from '../agent.ts';
import { type Place, toPlainEnvironment } from '../support/place.ts';
import type { Launch } from '../support/run-marked.ts';
import type { Library } from './engine.ts';

export type AgentWork = Pick<AgentSettings, 'steps' | 'agents' | 'begin'>;

export function toLaunch({ module, keeps, environment }: Library, place: Place, work: AgentWork): Launch {
  const settings: AgentSettings = {
    ...work,
    module,
    baseUrl: `http://127.0.0.1:${place.port}/v1`,
    store: keeps === 'journal' ? place.store : null,
    workspace: place.workspace,
    conversation: place.conversation,
  };
  return {
    command: [process.execPath, join(import.meta.dirname, '../agent.ts'), JSON.stringify(settings)],
    directory: place.workspace,
    environment: { ...toPlainEnvironment(place), ...environment },
  };
}
