// A command of the model's own, with the way to the network that policy, or somebody's yes, opens to it.
import type { Command } from '../guard/guard.ts';
import { toCommandDone } from './command-result.ts';
import type { PreparedCall, ToolContext } from './tool.ts';

export interface WantedCommand {
  readonly command: Command;
  /** As people are shown it. */
  readonly text: string;
  readonly wallMs: number;
}

export async function prepareCommand(
  { command, text, wallMs }: WantedCommand,
  { commands, permitted, signal }: ToolContext,
): Promise<PreparedCall> {
  const network = await commands.opensNetwork(command, permitted);
  const run = async () => toCommandDone(await commands.run({ command, wallMs, permitted, network }, signal));
  return { kind: 'command', text, network, run };
}
