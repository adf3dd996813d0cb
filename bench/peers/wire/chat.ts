// Chat Completions by the client of OpenAI.
import OpenAI from 'openai';
import { closingWords } from '../model/script.ts';
import { type CheckWire, isAboutInput, parameters, userText } from './check-wire.ts';

export const check: CheckWire = async function* (url, workspace) {
  const { completions } = new OpenAI({ apiKey: 'x', baseURL: `${url}/v1` }).chat;
  const tools = [{ type: 'function' as const, function: { name: 'read_file', parameters } }];
  const asked = { model: 'm', messages: [{ role: 'user' as const, content: userText }], tools };

  const whole = await completions.create(asked);
  yield { title: 'chat: a call in one piece', isRight: isAboutInput(toArguments(whole.choices[0]), workspace) };
  const { prompt_tokens = 0, completion_tokens = 0, total_tokens = 0 } = whole.usage ?? {};
  yield {
    title: 'chat: usage in one piece',
    isRight: total_tokens > 0 && total_tokens === prompt_tokens + completion_tokens,
  };

  const stream = completions.stream({ ...asked, stream_options: { include_usage: true } });
  const { choices } = await stream.finalChatCompletion();
  yield { title: 'chat: a streamed call', isRight: isAboutInput(toArguments(choices[0]), workspace) };
  yield { title: 'chat: streamed usage', isRight: (await stream.totalUsage()).completion_tokens === 20 };

  const call = choices[0]?.message.tool_calls?.[0];
  const answered = [
    ...asked.messages,
    { role: 'assistant' as const, tool_calls: call === undefined ? [] : [call] },
    { role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'x' },
  ];
  const closing = await completions.stream({ ...asked, messages: answered }).finalContent();
  yield { title: 'chat: closing words', isRight: closing === closingWords };
};

function toArguments(choice: OpenAI.ChatCompletion.Choice | undefined): string | undefined {
  const [call] = choice?.message.tool_calls ?? [];
  return call?.type === 'function' && choice?.finish_reason === 'tool_calls' ? call.function.arguments : undefined;
}
