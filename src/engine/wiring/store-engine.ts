// What looks after the store, with the settings of one engine.
import { statSync } from 'node:fs';
import { isEngineError } from '../../shared/engine-error.ts';
import { loadUserScope } from '../guard/load-scopes.ts';
import type { Journal } from '../journal/journal.ts';
import { createRetention } from '../journal/retention/open-retention.ts';
import { parseQuota } from '../journal/retention/parse-quota.ts';
import { toDatabaseFile } from '../journal/store-file.ts';
import { adoptRun } from '../run/adopt-run.ts';
import type { StoreEngine } from '../run/store-engine.ts';
import { assertDrivable } from './assert-drivable.ts';
import type { EngineParts } from './engine-parts.ts';

export interface StoreEngineOptions extends Pick<EngineParts, 'home' | 'environment' | 'open'> {
  /** What closing the engine waits for. */
  readonly whole: <Result>(work: Promise<Result>) => Promise<Result>;
}

export function createStoreEngine({ home, environment, open, whole }: StoreEngineOptions): StoreEngine {
  const readQuota = () => readStoreQuota(home, environment.IO_STUDIO_STORE_QUOTA ?? '');
  const retention = createRetention(home, open, readQuota);
  return {
    stats: () => whole(retention.stats()),
    prune: (...given) => whole(retention.prune(...given)),
    verify: (...given) => whole(retention.verify(...given)),
    backup: (...given) => whole(retention.backup(...given)),
    exportRun: (...given) => whole(retention.exportRun(...given)),
    archiveRun: (...given) => whole(retention.archiveRun(...given)),
    importRun: (...given) => whole(retention.importRun(...given)),
    findQuotaWarning: () => findQuotaWarning(toDatabaseFile(home), readQuota),
    adoptRun: async (params) => {
      assertDrivable({ home, environment }, params);
      return whole(open().then((journal: Journal) => adoptRun({ home, journal, ...params })));
    },
  };
}

function readStoreQuota(home: string, environment: string): number | null {
  const own = loadUserScope(home)[0]?.policy.store?.quota ?? null;
  return parseQuota({ environment, policy: own });
}

function findQuotaWarning(file: string, readQuota: () => number | null): string | null {
  let quotaBytes: number | null;
  try {
    quotaBytes = readQuota();
  } catch (error) {
    if (!isEngineError(error)) throw error;
    return `${error.message} ${error.remedy}`; // It is about a warning, and no reason to stop a run that has begun.
  }
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (quotaBytes === null || bytes <= quotaBytes) return null;
  return `the store ${file} has ${bytes} bytes, more than its quota of ${quotaBytes}: "io-studio store prune" makes room`;
}
