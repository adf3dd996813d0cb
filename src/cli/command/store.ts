// `io-studio store`: looks after the store of a home, and takes runs out of it and into it as files.
import { usage } from '../parse-options.ts';
import { storeAdoptCommand } from './store-adopt.ts';
import { storeAdoptHereCommand } from './store-adopt-here.ts';
import { storeBackupCommand } from './store-backup.ts';
import { storeArchiveCommand, storeExportCommand } from './store-export.ts';
import { storeImportCommand } from './store-import.ts';
import { storePruneCommand } from './store-prune.ts';
import { storeStatsCommand } from './store-stats.ts';
import { storeVerifyCommand } from './store-verify.ts';

const commands: ReadonlyMap<string, (args: string[]) => Promise<number>> = new Map([
  ['stats', storeStatsCommand],
  ['prune', storePruneCommand],
  ['archive', storeArchiveCommand],
  ['verify', storeVerifyCommand],
  ['backup', storeBackupCommand],
  ['export', storeExportCommand],
  ['import', storeImportCommand],
  ['adopt', storeAdoptCommand],
  ['adopt-here', storeAdoptHereCommand],
]);

export async function storeCommand([name = '', ...args]: string[]): Promise<number> {
  const command = commands.get(name);
  if (command !== undefined) return await command(args);
  throw usage(`"io-studio store" takes one of ${[...commands.keys()].join(', ')}.`);
}
