// Programs that make, change and remove files.
import type { ProgramShape } from './program-shape.ts';

const unknownNames = 'the names it writes are not in its words';
const copies = {
  last: 'write',
  insteadOfLast: '-t --target-directory',
  value: '-S --suffix',
  attached: '--backup',
} as const;

/** By names separated by blanks. */
export const knownWriters: Readonly<Record<string, ProgramShape>> = {
  tee: { operands: 'write', attached: '--output-error' },
  touch: { operands: 'write', value: '-d --date -t --time', read: '-r --reference' },
  rm: {
    operands: 'write',
    deep: '-r -R --recursive',
    attached: '--interactive --preserve-root',
    flag: '--no-preserve-root',
  },
  'rmdir unlink trash trash-put': { operands: 'write', deep: 'always' },
  mkdir: { operands: 'write', value: '-m --mode', attached: '--context' },
  'mkfifo mknod': { operands: 'write', value: '-m --mode', always: 'it makes something other than a file' },
  mv: { ...copies, operands: 'both', deep: 'always', write: '-t --target-directory' },
  cp: {
    ...copies,
    operands: 'read',
    deep: '-r -R -a --recursive --archive',
    write: '-t --target-directory',
    attached: '--backup --preserve --reflink --sparse --context --no-preserve',
    opaque: {
      'it makes other names for files': '-l --link -s --symbolic-link',
      'it copies to names that the words only hint at': '--parents',
    },
  },
  install: {
    ...copies,
    operands: 'read',
    write: '-t --target-directory',
    value: '-m --mode -o --owner -g --group -S --suffix',
    opaque: {
      'it makes directories of its operands': '-d --directory -D',
      'an option of it runs another program': '-s --strip --strip-program',
    },
  },
  'ln link': {
    ...copies,
    operands: 'both',
    write: '-t --target-directory',
    always: 'it makes another name for a file',
  },
  dd: { operands: 'none' },
  truncate: { operands: 'write', value: '-s --size', read: '-r --reference' },
  fallocate: { operands: 'write', value: '-l --length -o --offset' },
  shred: { operands: 'write', value: '-n --iterations -s --size', read: '--random-source' },
  'chmod chown chgrp': {
    first: 'none',
    operands: 'write',
    // `chmod -x file` gives the mode in the form of an option.
    insteadOfFirst: '--reference -r -w -x -X -s -t',
    deep: '-R --recursive',
    read: '--reference',
    value: '--from',
  },
  'chattr setfacl setfattr chcon': {
    operands: 'write',
    deep: '-R --recursive',
    always: 'it changes who may do what with a file',
  },
  patch: {
    operands: 'write',
    read: '-i --input',
    write: '-o --output -r --reject-file -d --directory',
    value: '-p --strip -F --fuzz -D --ifdef -g --get -V --version-control -z --suffix -B --prefix -Y --basename-prefix',
    always: unknownNames,
  },
  'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress brotli': {
    operands: 'both',
    deep: '-r --recursive',
    value: '-S --suffix -T --threads -M --memory',
    write: '-o --output-dir-flat --output-dir-mirror',
    always: unknownNames,
  },
  unzip: { first: 'read', operands: 'none', write: '-d', value: '-x -P', always: unknownNames },
  'zip 7z 7za rar unrar ar cpio pax': {
    operands: 'both',
    deep: 'always',
    always: 'an option of it can run programs, and it writes names that are not in its words',
  },
  'sponge rename prename mktemp': { operands: 'write', always: unknownNames },
};
