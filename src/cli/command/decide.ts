// `io-studio decide`: answers one question, from whichever process. Of what is too long to take in at a glance, only
// somebody who has seen the end of it can say yes.
import { type ApprovalRequest, type DecideParams, EngineError } from '../../engine/index.ts';
import { ApprovalChoice } from '../../shared/approval.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { toDecidedLines } from '../decided-lines.ts';
import { describeContent, isLong } from '../describe-content.ts';
import { findRequest } from '../find-request.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { parseRemember } from '../parse-remember.ts';
import { readRewrite } from '../read-rewrite.ts';
import { toActor } from '../to-actor.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = {
  ...homeOptions,
  rewrite: { type: 'string' },
  remember: { type: 'string' },
  reason: { type: 'string' },
  digest: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export async function decideCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const { text, answer } = parseAnswer(positionals, values);
  return withEngine(values.home, async (engine) => {
    const asked = await findRequest(engine, text);
    assertSeen(asked, answer.decision, values.digest);
    const digest = values.digest ?? asked.digest;
    const decided = await engine.decide({ request: asked.request, actor: toActor(), digest, ...answer });
    writeLines(values.json ? [JSON.stringify(decided)] : toDecidedLines(decided));
    return 0;
  });
}

type Answer = Pick<DecideParams, 'decision' | 'rewrite' | 'remember' | 'reason'>;

function parseAnswer(
  positionals: readonly string[],
  { rewrite, remember, reason }: Values,
): { text: string; answer: Answer } {
  const [text, choice, ...more] = positionals;
  const decision = ApprovalChoice.safeParse(choice);
  if (text === undefined || !decision.success || more.length > 0)
    throw usage(`"io-studio decide" takes a request and one of ${ApprovalChoice.options.join(', ')}.`);
  if (rewrite !== undefined && decision.data !== 'approve') throw usage('--rewrite goes with approve alone.');
  const answer = {
    decision: decision.data,
    reason,
    rewrite: rewrite === undefined ? undefined : readRewrite(rewrite),
    remember: remember === undefined ? undefined : parseRemember(remember),
  };
  return { text, answer };
}

function assertSeen({ request, details }: ApprovalRequest, decision: ApprovalChoice, digest: string | undefined): void {
  if (decision !== 'approve' || digest !== undefined || !isLong(details.content)) return;
  throw new EngineError(
    'usage',
    `${toVisible(request)} has long content (${describeContent(details.content)}), so approving it takes --digest.`,
    {
      remedy: `Read all of "io-studio approvals ${toVisible(request)}": the digest stands at its end.`,
    },
  );
}
