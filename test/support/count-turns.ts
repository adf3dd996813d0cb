// How far a conversation is, for scripts of runs that are longer than the window: turns that were left out count too.
import type { WireMessage } from './scripted-model-script.ts';

export function countTurns(messages: readonly WireMessage[]): number {
  const shown = messages.filter(({ role }) => role === 'assistant').length;
  const note = messages.find(({ role, content }) => role === 'user' && leftOut.test(String(content)));
  return shown + Number(leftOut.exec(String(note?.content))?.[1] ?? 0);
}

const leftOut = /^\[(\d+) earlier turns were left out/;
