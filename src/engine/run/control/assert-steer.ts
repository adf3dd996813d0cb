import { EngineError } from '../../../shared/engine-error.ts';

/** As long as a goal may be: more is a file that the agent can be told to read. */
const maxCharacters = 20_000;

/** Throws `usage` for words that say nothing, or too much for one message. */
export function assertSteer(text: string): void {
  if (text.trim() === '') {
    throw new EngineError('usage', 'There is nothing to tell the agent.', {
      remedy: 'Give the words that it is to be shown before its next request.',
    });
  }
  if (text.length <= maxCharacters) return;
  throw new EngineError('usage', `The text has ${text.length} characters; ${maxCharacters} is the most.`, {
    remedy: 'Put the rest into a file of the workspace, and tell the agent to read it.',
  });
}
