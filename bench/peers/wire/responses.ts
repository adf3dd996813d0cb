// Responses by the client of OpenAI.
import OpenAI from 'openai';
import { closingWords } from '../model/script.ts';
import { type CheckWire, isAboutInput, parameters, userText } from './check-wire.ts';

export const check: CheckWire = async function* (url, workspace) {
  const { responses } = new OpenAI({ apiKey: 'x', baseURL: `${url}/v1` });
  const tools = [{ type: 'function' as const, name: 'read_file', parameters, strict: false }];
  const asked = { model: 'm', input: userText, tools };

  const whole = await responses.create(asked);
  const isWhole = isAboutInput(findCall(whole.output)?.arguments, workspace) && (whole.usage?.total_tokens ?? 0) > 0;
  yield { title: 'responses: a call in one piece, with usage', isRight: isWhole };

  const stream = responses.stream(asked);
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  const streamed = await stream.finalResponse();
  const call = findCall(streamed.output);
  const isStreamed =
    types.includes('response.function_call_arguments.delta') && isAboutInput(call?.arguments, workspace);
  yield { title: 'responses: a streamed call', isRight: isStreamed };
  yield { title: 'responses: streamed usage', isRight: streamed.usage?.output_tokens === 20 };

  const result = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'x' };
  const answered = [{ role: 'user' as const, content: userText }, ...(call === undefined ? [] : [call]), result];
  const closing = await responses.stream({ ...asked, input: answered }).finalResponse();
  yield { title: 'responses: closing words', isRight: closing.output_text === closingWords };
};

function findCall(output: readonly OpenAI.Responses.ResponseOutputItem[]) {
  return output.find((item) => item.type === 'function_call');
}
