// Messages by the client of Anthropic.
import Anthropic from '@anthropic-ai/sdk';
import { closingWords } from '../model/script.ts';
import { type CheckWire, parameters, userText } from './check-wire.ts';

export const check: CheckWire = async function* (url, workspace) {
  const { messages } = new Anthropic({ apiKey: 'x', baseURL: url });
  const tools = [{ name: 'read_file', input_schema: parameters }];
  const asked = { model: 'm', max_tokens: 100, tools, messages: [{ role: 'user', content: userText }] };
  const isCall = ({ stop_reason, content: [block] }) =>
    stop_reason === 'tool_use' && block.input.path === `${workspace}/input.txt`;

  yield { title: 'messages: a call in one piece', isRight: isCall(await messages.create(asked)) };

  const streamed = await messages.stream(asked).finalMessage();
  yield { title: 'messages: a streamed call', isRight: isCall(streamed) };
  const { input_tokens, output_tokens } = streamed.usage;
  yield { title: 'messages: streamed usage', isRight: output_tokens === 20 && input_tokens > 0 };

  const result = { type: 'tool_result', tool_use_id: streamed.content[0].id, content: 'x' };
  const answered = [
    ...asked.messages,
    { role: 'assistant', content: streamed.content },
    { role: 'user', content: [result] },
  ];
  const closing = await messages.stream({ ...asked, messages: answered }).finalText();
  yield { title: 'messages: closing words', isRight: closing === closingWords };
};
