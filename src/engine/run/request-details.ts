// What a question shows, and how what it showed is found again. Every text in it is masked, each by itself: masked as one
// JSON text it might no longer be one.
import { RequestDetails } from '../../shared/approval.ts';
import type { BlobRef } from '../../shared/blob-ref.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { proposeRules } from '../approval/propose-rules.ts';
import { type DigestSubject, describeDifferences } from '../approval/to-digest.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import { type DescribedCall, toDigestActs } from './describe-call.ts';
import type { CallPorts } from './driver-ports.ts';
import { type Mask, maskAct, maskSubject } from './mask-act.ts';
import { toRequestContent } from './to-request-content.ts';

export function toRequestDetails(
  { recorder, guard, stanceOf, redactor }: CallPorts,
  place: EventPlace,
  { ready, plan, acts, subject }: DescribedCall,
  differences: string[],
): RequestDetails {
  const { state } = recorder;
  const { label } = agentOf(state, place);
  const stance = stanceOf(state, place.agentId);
  const mask = (text: string) => redactor.redact(text).text;
  return maskTexts(mask, {
    tool: ready.tool.name,
    goal: state.settings.title,
    workspace: guard.workspace.path,
    acts: [...acts],
    argumentsHash: subject.argumentsHash,
    arguments: toMaskedArguments(redactor, ready.arguments),
    contentHash: subject.contentHash,
    content: toRequestContent(ready, plan),
    environment: [...subject.environment],
    files: [...subject.files],
    untrusted: label.untrusted,
    sensitive: label.sensitive,
    isolation: stance.isolation,
    proposals: proposeRules(acts, stance),
    differences,
  });
}

/** As JSON, each text masked by itself. */
export function toMaskedArguments(redactor: Redactor, parsed: unknown): string {
  return JSON.stringify(parsed, (_key, value) => (typeof value === 'string' ? redactor.redact(value).text : value));
}

/** Hashes and the shapes around them hold no secret and are left alone. */
function maskTexts(mask: Mask, details: RequestDetails): RequestDetails {
  return {
    ...details,
    acts: details.acts.map(({ act, verdict }) => ({
      act: maskAct(mask, act),
      verdict: {
        ...verdict,
        because: mask(verdict.because),
        wouldChange: verdict.wouldChange && mask(verdict.wouldChange),
      },
    })),
    content: { ...details.content, text: mask(details.content.text) },
    files: details.files.map(({ path, hash }) => ({ path: mask(path), hash })),
    proposals: details.proposals.filter(({ pattern }) => mask(pattern) === pattern),
  };
}

export function readRequestDetails(reader: Pick<JournalReader, 'readBlob'>, { hash }: BlobRef): RequestDetails {
  return RequestDetails.parse(JSON.parse(new TextDecoder().decode(reader.readBlob(hash))));
}

/** What is no longer as an earlier question showed it, in words that hold no secret. */
export function describeChanges(
  { reader, redactor }: Pick<CallPorts, 'reader' | 'redactor'>,
  before: BlobRef,
  after: DigestSubject,
): string[] {
  const mask = (text: string) => redactor.redact(text).text;
  return describeDifferences(readSubject(reader, before), maskSubject(mask, after));
}

function readSubject(reader: Pick<JournalReader, 'readBlob'>, details: BlobRef): DigestSubject {
  const { tool, argumentsHash, acts, workspace, environment, files, contentHash } = readRequestDetails(reader, details);
  return {
    tool,
    argumentsHash,
    acts: toDigestActs(acts),
    directory: workspace,
    environment,
    files,
    contentHash,
  };
}
