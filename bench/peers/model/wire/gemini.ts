// Gemini's generateContent.
import { z } from 'zod';
import { type Answer, sendEvents, sendJson, toId, usage, type Wire } from './wire.ts';

const Part = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.looseObject({ response: z.unknown() }).optional(),
});

const Body = z.looseObject({
  contents: z.array(z.looseObject({ role: z.string().optional(), parts: z.array(Part).default([]) })),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) }))
    .default([]),
});

export const gemini: Wire = {
  path: /:(stream)?generateContent$/i,
  read(body, path) {
    const { contents, tools } = Body.parse(body);
    const parts = contents.flatMap((content) => content.parts);
    return {
      model: 'scripted',
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)],
      ),
      userText: contents
        .flatMap((content) => (content.role === 'user' ? content.parts.map(({ text = '' }) => text) : []))
        .join('\n'),
      streams: /stream/i.test(path),
      wantsUsage: true,
    };
  },
  answer(response, request, answer) {
    const body = toBody(answer);
    if (request.streams) sendEvents(response, [{ data: body }]);
    else sendJson(response, body);
  },
};

function toBody(answer: Answer): object {
  const part =
    answer.kind === 'call'
      ? { functionCall: { name: answer.use.name, args: answer.use.arguments } }
      : { text: answer.text };
  return {
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } }],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: 'scripted',
    responseId: toId('gemini-'),
  };
}
