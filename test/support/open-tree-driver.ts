// A driver whose agents are scripts: each is asked by its name, and may take as long as the test wants.
import type { ModelProvider, ModelResult } from '../../src/engine/provider/model-provider.ts';
import type { DriverPorts } from '../../src/engine/run/driver-ports.ts';
import { createProcesses } from '../../src/engine/tool/process/processes.ts';
import { type OpenDriverOptions, type OpenedDriver, openDriver, scriptedChoice } from './open-driver.ts';

/** The reply of one agent to its nth request. */
export type Replies = Readonly<
  Record<string, readonly (ModelResult | ((signal: AbortSignal) => Promise<ModelResult>))[]>
>;

export interface OpenedTreeDriver extends OpenedDriver {
  /** The agents in the order in which they asked. */
  readonly asked: readonly string[];
}

export async function openTreeDriver(replies: Replies, options: OpenDriverOptions): Promise<OpenedTreeDriver> {
  const driver = await openDriver(options);
  const asked: string[] = [];
  const toProvider = (agentId: string): ModelProvider => ({
    choice: scriptedChoice,
    measure: () => 0,
    complete: async (_request, _onDelta, signal) => {
      const place = asked.filter((other) => other === agentId).length;
      asked.push(agentId);
      const reply = replies[agentId]?.[place];
      if (reply === undefined) throw new RangeError(`The script has no reply ${place} of ${agentId}`);
      return typeof reply === 'function' ? reply(signal) : reply;
    },
    close: async () => undefined,
  });
  const openAgent: DriverPorts['openAgent'] = (agentId) => {
    const { contract, tools, guard, toolSpecs, check } = driver.ports;
    return { contract, tools, guard, toolSpecs, check, provider: toProvider(agentId), processes: createProcesses() };
  };
  const ports = { ...driver.ports, provider: toProvider('root'), openAgent };
  return { ...driver, ports, asked, [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose]() };
}
