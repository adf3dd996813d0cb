// A call as the model wrote it, found again through the reply it stands in; or as a person wrote it anew.
import type { BlobRef } from '../../shared/blob-ref.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { MessageCall } from '../../shared/message.ts';
import type { AgentState } from '../../shared/run-state.ts';
import { type ParsedArguments, parseArguments } from '../tool/parse-arguments.ts';
import type { Tool } from '../tool/tool.ts';
import type { CallPorts } from './driver-ports.ts';

export interface ReadyCall {
  readonly call: number;
  readonly tool: Tool;
  readonly arguments: unknown;
  readonly target: string;
}

type Place = Pick<EventPlace, 'agentId'>;

/** The usable call at position `call` of the agent's last reply, with the arguments it is to be carried out with. */
export function readCall(ports: CallPorts, place: Place, call: number): ReadyCall {
  return readCallWith(ports, place, call, callOf(agentOf(ports.recorder.state, place), call).rewrite);
}

/** The same with other arguments than it stands with now; null: with those that the model wrote. */
export function readCallWith(ports: CallPorts, place: Place, call: number, rewrite: BlobRef | null): ReadyCall {
  const proposed = findCall(ports, place, call);
  const tool = ports.tools.get(proposed.tool);
  if (tool === undefined) return toReady(tool, call, null);
  if (rewrite === null) return toReady(tool, call, parseCall(tool, proposed));
  const text = new TextDecoder().decode(ports.reader.readOriginal(rewrite.hash));
  return toReady(tool, call, parseArguments(tool, text));
}

function toReady(tool: Tool | undefined, call: number, parsed: ParsedArguments<unknown> | null): ReadyCall {
  if (tool === undefined || parsed?.kind !== 'ok') {
    throw new EngineError('internal', `Call ${call} (${tool?.name ?? 'of an unknown tool'}) cannot be read any more.`, {
      remedy: 'The run was begun by another version of the engine: resume it with that one.',
    });
  }
  return { call, tool, arguments: parsed.arguments, target: tool.target(parsed.arguments) };
}

/** The arguments of a call, parsed once: they are asked for when the reply comes, when it is judged and when it starts. */
export function parseCall(tool: Tool, call: MessageCall): ParsedArguments<unknown> {
  const parsed = parsedCalls.get(call) ?? parseArguments(tool, call.arguments);
  parsedCalls.set(call, parsed);
  return parsed;
}

const parsedCalls = new WeakMap<MessageCall, ParsedArguments<unknown>>();

/** The name of the tool and the text of the arguments, whether or not they can be used. */
export const findCall = (ports: CallPorts, place: Place, call: number): MessageCall =>
  findCallOf(ports.transcript, agentOf(ports.recorder.state, place), call);

/** The same out of a state that nobody drives. */
export function findCallOf(transcript: CallPorts['transcript'], { context }: AgentState, call: number): MessageCall {
  const reply = context.findLast((item) => item.role === 'assistant');
  const found = reply === undefined ? undefined : transcript.readReply(reply.blob).calls[call];
  if (found === undefined) throw new RangeError(`The reply has no call ${call}`);
  return found;
}
