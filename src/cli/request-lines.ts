// A request as people read it: what is wanted, why it is asked, what it rests on, and what a yes would mean from now on.
// Every word of a model or a file in it is made visible, and everything stands behind a label or a bar of ours.
import type { ApprovalRequest } from '../engine/index.ts';
import { type JudgedAct, strictness } from '../shared/act.ts';
import type { RequestDetails } from '../shared/approval.ts';
import { describeSource } from '../shared/describe-source.ts';
import { toVisible } from '../shared/to-visible.ts';
import { describeContent, quoteContent } from './describe-content.ts';
import { describeDecider } from './describe-decider.ts';

/** The request in a few lines, without its content and its digest. */
export function toRequestBlock(request: ApprovalRequest): string[] {
  const { details } = request;
  return [
    ...toHead(request),
    ...toSources(details),
    ...field('remember', ...describeProposals(details)),
    ...field('content', describeContent(details.content)),
    ...toAnswer(request),
    ...field('in full', `io-studio approvals ${request.request}`),
  ];
}

/**
 * All of it. The digest, without which long content cannot be approved, stands nowhere but at the end: whoever has it can
 * have seen the rest.
 */
export function toRequestLines(request: ApprovalRequest): string[] {
  const { details, digest } = request;
  const { acts, workspace, environment, files, isolation, differences, content } = details;
  const runs = acts.some(({ act }) => act.kind === 'exec');
  return [
    ...toHead(request),
    ...field('workspace', workspace),
    ...field('acts', ...acts.flatMap((judged) => describeAct(judged, request.because))),
    ...(runs ? field('isolation', isolation) : []),
    ...(runs ? field('variables', environment.length === 0 ? 'none' : environment.join(', ')) : []),
    ...field('rests on', ...files.map(describeFile)),
    ...toSources(details),
    ...field('remember', ...describeProposals(details)),
    ...field('changed', ...differences),
    ...field('content', describeContent(content)),
    ...quoteContent(content),
    ...toAnswer(request),
    ...field('digest', digest),
  ];
}

function toHead({ request, act, target, details, title, runId, agentId, step, because }: ApprovalRequest): string[] {
  return [
    `${toVisible(request)}  ${act} ${toVisible(target)}`,
    ...field('run', `${title}  (${runId})`),
    ...field('agent', `${agentId}, step ${step}, ${details.tool}`),
    ...field('because', because),
    ...field('decided by', ...describeRule(details)),
  ];
}

function toSources({ untrusted, sensitive }: RequestDetails): string[] {
  return [
    ...(untrusted === null ? [] : field('untrusted', describeSource(untrusted))),
    ...(sensitive === null ? [] : field('sensitive', describeSource(sensitive))),
  ];
}

function toAnswer({ answer }: ApprovalRequest): string[] {
  if (answer === null) return [];
  return field('answered', `${answer.decision} by ${answer.actor}, ${new Date(answer.at).toISOString()}`);
}

/** What the strictest of the verdicts rests on; nothing for a plan, which no rule is about. */
function describeRule({ acts }: RequestDetails): string[] {
  const [first] = acts.toSorted((one, other) => strictness[other.verdict.effect] - strictness[one.verdict.effect]);
  return first === undefined ? [] : [describeDecider(first.verdict)];
}

const describeProposals = ({ proposals }: RequestDetails): string[] =>
  proposals.map(({ act, pattern }) => `allow ${act} "${pattern}"`);

/** Why it is asked is left out where the request has `told` it already. */
function describeAct({ act, verdict: { effect, because } }: JudgedAct, told: string): string[] {
  const details = [...describePlace(act), ...(effect === 'allow' || because === told ? [] : [because])];
  return [`${effect.padEnd(5)}  ${act.kind} ${act.target}`, ...details.map((line) => `  ${line}`)];
}

/** What the target alone does not say. */
function describePlace(act: JudgedAct['act']): string[] {
  switch (act.kind) {
    case 'read':
    case 'write':
      return act.real === act.target ? [] : [act.real === null ? 'its place cannot be told' : `really ${act.real}`];
    case 'exec':
      return [
        ...(act.program === null
          ? []
          : [`program ${act.program.real ?? `${act.program.written}, built into the shell`}`]),
        ...(act.opaque === null ? [] : [`cannot be foreseen: ${act.opaque}`]),
      ];
    case 'net':
      return act.address === null ? [] : [`really ${act.address}`];
  }
}

const describeFile = ({ path, hash }: RequestDetails['files'][number]): string =>
  `${path}  ${hash === null ? 'not there' : hash.slice(0, 12)}`;

/** A label and its lines; nothing where there is nothing to say. */
function field(label: string, ...texts: readonly string[]): string[] {
  return texts.map((text, line) => `  ${(line === 0 ? label : '').padEnd(10)}  ${toVisible(text)}`);
}
