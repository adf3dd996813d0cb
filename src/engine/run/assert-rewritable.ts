// A person's own arguments for a call are held to what the model's were: the tool must be able to use them, and what they
// amount to is judged anew. They may go further than the model asked, never where policy denies.
import type { DeclaredAct } from '../../shared/act.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { RunState } from '../../shared/run-state.ts';
import { openCredential } from '../approval/credential.ts';
import { openGuard } from '../guard/open-guard.ts';
import type { Journal } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createTools } from '../tool/create-tools.ts';
import { parseArguments } from '../tool/parse-arguments.ts';
import { createAnswers } from './answers.ts';
import type { ApprovalRequest, DecideParams } from './engine.ts';
import { openRunPolicy, readScopes } from './run-policy.ts';
import { createStanceOf } from './stance.ts';

export interface RewriteOptions {
  readonly home: string;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly sandbox: Sandbox;
  readonly state: RunState;
  readonly asked: ApprovalRequest;
  readonly params: DecideParams;
}

/** Throws `rewrite-invalid`. */
export async function assertRewritable(options: RewriteOptions): Promise<void> {
  const { params, asked, redactor, state } = options;
  if (params.rewrite === undefined) return;
  if (params.decision !== 'approve') {
    throw invalid('only an approval can change a call', 'Approve it, or leave the rewrite out.');
  }
  if (callOf(agentOf(state, asked), asked.call).staged !== null) {
    const remedy = 'Approve what it left as it is, or deny it with --reason: the model is told.';
    throw invalid('its command has run already, and other arguments would change nothing of what it left', remedy);
  }
  await assertNotDenied(options, toActs(asked.details.tool, JSON.stringify(params.rewrite), redactor));
}

/** What the call would amount to with these arguments. */
function toActs(name: string, text: string, redactor: Redactor): readonly DeclaredAct[] {
  const tool = createTools({ commands: true, network: true, plan: true, agents: true }).get(name);
  if (tool === undefined || tool.kind === 'plan') {
    throw invalid('a plan is corrected by denying it with a reason', 'Deny it with --reason.');
  }
  if (redactor.holdsKnown(text)) throw invalid('it holds a key that the engine uses itself', 'Leave the key out.');
  const parsed = parseArguments(tool, text);
  if (parsed.kind === 'ok') return tool.acts(parsed.arguments);
  throw invalid(parsed.message, `Write the arguments of ${name} as one JSON object.`);
}

async function assertNotDenied(options: RewriteOptions, acts: readonly DeclaredAct[]): Promise<void> {
  const { home, journal, sandbox, state, asked } = options;
  const workspace = state.settings.workspace.path;
  const before = readScopes(journal.reader, state.settings.policy);
  const { policy } = openRunPolicy({ home, workspace, policyFile: null, before });
  const { isGenuine } = createAnswers({
    runId: state.runId,
    reader: journal.reader,
    openCredential: () => openCredential(home),
  });
  const stanceOf = createStanceOf({ policy, isolation: asked.details.isolation, isGenuine, reader: journal.reader });
  const guard = await openGuard({ workspace, home, sandbox });
  try {
    for (const act of acts) {
      const judged = await guard.judge(act, stanceOf(state, asked.agentId));
      const denied = judged.find(({ verdict }) => verdict.effect === 'deny');
      if (denied !== undefined) throw crossesDenial(denied.verdict.because);
    }
  } finally {
    guard.close();
  }
}

const crossesDenial = (because: string): EngineError =>
  invalid(`an approved change may not cross a denial: ${because}`, 'Change it so that nothing in it is denied.');

const invalid = (why: string, remedy: string): EngineError =>
  new EngineError('rewrite-invalid', `The call cannot be rewritten so: ${why}.`, { remedy });
