// The scripted model, in a process of its own: `node model/server.ts SETTINGS`, forked by `startModel`. Plain HTTP on the
// loopback address. A request with so many results of calls always gets the same answer, so a client that was killed and asks
// again goes on where its own history stands. It ends with its parent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { nowMs } from '../../support/now-ms.ts';
import { profiles } from './profiles.ts';
import { closingWords, findStandIns, toToolUse } from './script.ts';
import { type ArrivedRequest, type ServerMessage, ServerSettings } from './server-settings.ts';
import { chat } from './wire/chat.ts';
import { gemini } from './wire/gemini.ts';
import { messages } from './wire/messages.ts';
import { responses } from './wire/responses.ts';
import { type Answer, type ReadRequest, sendJson } from './wire/wire.ts';

const wires = [chat, responses, messages, gemini];
const settings = ServerSettings.parse(JSON.parse(process.argv[2] ?? ''));
const profile = profiles[settings.profile];

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    sendJson(response, { error: { message: String(error), type: 'invalid_request_error' } }, 400);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') tell({ type: 'listening', port: address.port });
});
process.once('message', () => process.disconnect());
process.once('disconnect', () => {
  server.close();
  server.closeAllConnections();
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = nowMs();
  const [path = ''] = (request.url ?? '').split('?');
  const bytes = await buffer(request);
  const wire = request.method === 'POST' ? wires.find((candidate) => candidate.path.test(path)) : undefined;
  const read = wire?.read(JSON.parse(bytes.toString()), path);
  const arrived: ArrivedRequest = { ...describe(read), requestBytes: bytes.length, arrivedAt };
  tell({ type: 'arrived', request: arrived });
  response.once('finish', () => tell({ type: 'answered', request: { ...arrived, finishedAt: nowMs() } }));
  const answer = () => {
    if (wire === undefined || read === undefined) answerOther(response, path, bytes.length);
    else wire.answer(response, read, toAnswer(arrived));
  };
  if (settings.latencyMs === 0) answer();
  else setTimeout(answer, settings.latencyMs);
}

function describe(
  read: ReadRequest | undefined,
): Pick<ArrivedRequest, 'kind' | 'conversation' | 'position' | 'standIns'> {
  if (read === undefined) return { kind: 'other', conversation: '', position: 0, standIns: [] };
  const [, conversation = ''] = /CONV-([A-Za-z0-9]+)/.exec(read.userText) ?? [];
  const isStep = conversation !== '' && read.tools.some((name) => profile.tools.includes(name));
  const results = toDistinct(read.results);
  return {
    kind: isStep ? 'main' : 'aux',
    conversation,
    position: results.length,
    standIns: settings.script === 'append' ? findStandIns(results) : [],
  };
}

/** Of the kill test no two results are the same, unless a client sends one of them twice, as gemini-cli does after a resume. */
const toDistinct = (results: readonly string[]): readonly string[] =>
  settings.profile === 'gemini' && settings.script === 'append' ? [...new Set(results)] : results;

function toAnswer({ kind, conversation, position }: ArrivedRequest): Answer {
  if (kind !== 'main') return { kind: 'text', text: '{"title":"bench"}' };
  if (position >= settings.steps) return { kind: 'text', text: closingWords };
  const { script, workspace } = settings;
  return { kind: 'call', use: toToolUse({ profile, script, workspace, conversation }, position) };
}

/** What clients ask besides: which models there are, and how long a text is. */
function answerOther(response: ServerResponse, path: string, bytes: number): void {
  const model = { id: 'scripted', object: 'model', created: 0, owned_by: 'local' };
  const tokens = Math.ceil(bytes / 4);
  if (path.endsWith('/models')) sendJson(response, { object: 'list', data: [model], models: [] });
  else if (/count_?tokens$/i.test(path)) sendJson(response, { input_tokens: tokens, totalTokens: tokens });
  else sendJson(response, { error: { message: 'There is nothing here.', type: 'not_found' } }, 404);
}

function tell(message: ServerMessage): void {
  if (process.connected) process.send?.(message);
}
