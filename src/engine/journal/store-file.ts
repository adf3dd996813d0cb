// Where the journal's files lie in the home directory.
import { join } from 'node:path';

export const toDatabaseFile = (home: string): string => join(home, 'journal.db');
export const toSealKeyFile = (home: string): string => join(home, 'seal.key');
