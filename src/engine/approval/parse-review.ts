// Reads the answer of a reviewing model. It has to be one JSON object of exactly two texts; a second opinion beside it, a
// member given twice or one too many makes it no answer at all.
import { z } from 'zod';
import { ApprovalChoice } from '../../shared/approval.ts';

const maxReasonCharacters = 2000;
const maxAnswerCharacters = 64 * 1024;

const Answer = z.strictObject({
  decision: ApprovalChoice,
  reason: z.string().trim().min(1),
});
type Answer = z.infer<typeof Answer>;

/** The answer, or `defer` where there is none. */
export function parseReview(text: string): Answer {
  const answer = Answer.safeParse(readObject(unfence(text.trim())));
  if (!answer.success) return noAnswer;
  return { decision: answer.data.decision, reason: answer.data.reason.slice(0, maxReasonCharacters) };
}

const noAnswer: Answer = {
  decision: 'defer',
  reason: 'the answer of the reviewing model is not one JSON object of a decision and a reason',
};

/** Models like to put JSON between fences; nothing may stand outside of them. */
function unfence(text: string): string {
  return /^```(?:json)?\n([^`]*)\n```$/.exec(text)?.[1] ?? text;
}

/** `JSON.parse` alone would quietly take the last of two members of one name, and so the second of two opinions. */
function readObject(text: string): unknown {
  const [, first, second] = (text.length > maxAnswerCharacters ? null : twoTexts.exec(text)) ?? [];
  if (first === second) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const twoTexts = /^\{\s*"(\w+)"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"(\w+)"\s*:\s*"(?:[^"\\]|\\.)*"\s*\}$/;
