// What of a round is not as it was told in detail: how probes were answered, and how caps were reached.
import { type Enclosure, fits, keptByKernel, mostExcess, perhapsKeptByKernel } from '../expectations.ts';
import type { Ran } from './compare.ts';
import type { BombReport } from './report.ts';
import { acceptanceCases } from './requirements.ts';
import { bombLimits } from './try-bombs.ts';

/** Probes that were answered otherwise than their case says, with mode and answer. */
export function findOddAnswers({ probes }: Ran): readonly string[] {
  return Object.entries(probes).flatMap(([mode, answers]) =>
    acceptanceCases.flatMap(({ number, programs, answers: expected }) =>
      programs.flatMap((name) => {
        const [verdict, detail] = (typeof answers === 'string' ? undefined : answers[name]) ?? ['contained', null];
        const isKnown = detail === null || expected.includes(detail) || detail.split(' ').every(isIn(expected));
        return verdict !== 'contained' || isKnown ? [] : `${number} ${name} (${mode}): ${detail}`;
      }),
    ),
  );
}

const isIn = (words: readonly string[]) => (word: string) => words.includes(word);

/** Caps that were reached in another way than is promised. */
export function findOddCaps({ bombs }: Ran, { backend, engine }: Enclosure): readonly string[] {
  return Object.entries(bombs).flatMap(([name, { hit, keptBytes }]) => {
    if (hit === null) return [];
    const isOfKernel = keptByKernel[hit.cap]?.some((where) => fits(where, [backend, engine])) === true;
    const bound = mostExcess[name];
    const most = bound !== undefined && fits(bound.where, [backend, engine]) ? hit.limit * bound.share : Infinity;
    const faults = [
      isOdd(hit, isOfKernel) && `is ${hit.enforcement}`,
      hit.unit !== units[hit.cap] && `is in ${hit.unit}`,
      hit.observed < hit.limit && `was seen at ${hit.observed} of ${hit.limit}`,
      hit.observed > most && `was seen at ${hit.observed}, only then`,
      keptBytes > bombLimits.outputBytes + noteBytes && `kept ${keptBytes} bytes of output`,
    ];
    return faults.flatMap((fault) => (fault === false ? [] : `${name}: ${fault}`));
  });
}

const isOdd = ({ cap, enforcement }: NonNullable<BombReport['hit']>, isOfKernel: boolean): boolean =>
  enforcement === 'kernel' ? !isOfKernel && !perhapsKeptByKernel.includes(cap) : isOfKernel;

/** Where something was left out of an output a line says how much. */
const noteBytes = 64;

const units = {
  wall: 'ms',
  cpu: 'ms',
  memory: 'bytes',
  processes: 'processes',
  output: 'bytes',
  file: 'bytes',
  disk: 'bytes',
} as const;
