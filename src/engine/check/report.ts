// Builds reports, so that no evidence is longer than a prompt can bear and none holds terminal control sequences.
import { stripVTControlCharacters } from 'node:util';
import type { CheckResult } from '../../shared/event.ts';
import { clipText } from '../process/capture-output.ts';
import type { Isolation } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';

const maxEvidenceBytes = 16 * 1024;
const maxSummaryCharacters = 300;

/** A report; without evidence of its own the summary is the evidence. */
export function toReport(
  result: CheckResult,
  summary: string,
  evidence: { readonly text: string; readonly isolation: Isolation | null } = { text: summary, isolation: null },
): CheckReport {
  return {
    result,
    summary: toLine(summary),
    evidence: toEvidence(evidence.text),
    isolation: evidence.isolation,
  };
}

function toLine(text: string): string {
  const plain = stripVTControlCharacters(text).replace(/\s+/g, ' ');
  return plain.length <= maxSummaryCharacters ? plain : `${plain.slice(0, maxSummaryCharacters - 1)}…`;
}

/** Clipped to head and tail; the line that says so is within the limit. */
function toEvidence(text: string): string {
  const plain = stripVTControlCharacters(text);
  return Buffer.byteLength(plain) <= maxEvidenceBytes ? plain : clipText(plain, maxEvidenceBytes - 64);
}
