// The entries of a directory in which strangers' programs may work still, whatever bytes their names are made of.
import { type Dirent, opendirSync } from 'node:fs';

/** A directory by a path that stays its own: on Linux that of a held descriptor. */
interface Listed {
  readonly path: string;
}

/** Piece by piece: there may be more than fit into memory. */
export function* listEntries({ path }: Listed): Generator<Dirent> {
  const directory = opendirSync(`${path}/.`, { encoding: 'latin1', bufferSize: 256 });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry;
  } finally {
    directory.closeSync();
  }
}

/** Where an entry of this name lies. One letter stands for one byte: a name need not be a text. */
export function toEntryPath({ path }: Listed, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${path}/`), Buffer.from(name, 'latin1')]);
}
