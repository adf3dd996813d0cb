// What a recorded call that concerns other agents amounts to. Nothing of the world is asked for it, so that it can be found out
// again at any time.
import { parseArguments } from '../parse-arguments.ts';
import type { PreparedCall, Tool } from '../tool.ts';
import { readMessages, toMailWait } from './read-messages.ts';
import { sendMessage, toMailCall } from './send-message.ts';
import { spawnAgent, toSpawnCall } from './spawn-agent.ts';
import { toAgentsWait, waitAgents } from './wait-agents.ts';

/** Null for another tool, and for arguments that cannot be used. */
export function readAgentCall(tool: string, text: string): PreparedCall | null {
  switch (tool) {
    case spawnAgent.name:
      return read(spawnAgent, text, toSpawnCall);
    case waitAgents.name:
      return read(waitAgents, text, toAgentsWait);
    case readMessages.name:
      return read(readMessages, text, toMailWait);
    case sendMessage.name:
      return read(sendMessage, text, toMailCall);
    default:
      return null;
  }
}

function read<Arguments>(
  tool: Tool<Arguments>,
  text: string,
  toCall: (args: Arguments) => PreparedCall,
): PreparedCall | null {
  const parsed = parseArguments(tool, text);
  return parsed.kind === 'ok' ? toCall(parsed.arguments) : null;
}
