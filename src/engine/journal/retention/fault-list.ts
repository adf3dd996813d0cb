// The faults found in a store: told up to a bound, counted beyond it.
import type { RunId } from '../../../shared/id.ts';
import type { StoreFault } from './store-report.ts';

export type AddFault = (fault: StoreFault) => void;

/** A run as the verifying code goes through them. */
export interface RunRow {
  readonly key: number;
  readonly runId: RunId;
}

export interface FaultList {
  readonly count: number;
  readonly add: AddFault;
  report(): { readonly faults: readonly StoreFault[]; readonly isTruncated: boolean };
}

export const maxFaults = 100;

export function createFaultList(): FaultList {
  const faults: StoreFault[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(fault) {
      count += 1;
      if (faults.length < maxFaults) faults.push(fault);
    },
    report: () => ({ faults, isTruncated: count > faults.length }),
  };
}
