// Programs that show what files hold or are, with the options of theirs that do more than that. Options that are not listed
// are flags; what such a flag would take as a value is then judged as a path, which asks too often but never too seldom.
import type { ProgramShape } from './program-shape.ts';

const otherProgram = 'an option of it runs another program';
const namesFromFile = 'an option of it takes the names of files from a file';
const everything: ProgramShape = { operands: 'read' };

/** By names separated by blanks. */
export const knownReaders: Readonly<Record<string, ProgramShape>> = {
  'cat rev zcat bzcat xzcat lz4cat zstdcat zless zmore bzless bzmore xzless xzmore hexyl uuencode': everything,
  'zdiff zcmp bzdiff bzcmp xzdiff xzcmp': everything,
  tac: { operands: 'read', value: '-s --separator' },
  nl: {
    operands: 'read',
    value:
      '-b --body-numbering -d --section-delimiter -f --footer-numbering -h --header-numbering -i --line-increment -l --join-blank-lines -n --number-format -s --number-separator -v --starting-line-number -w --number-width',
  },
  pr: {
    operands: 'read',
    value: '-D --date-format -h --header -l --length -N --first-line-number -o --indent -W --page-width',
  },
  shuf: { operands: 'read', value: '-i --input-range -n --head-count', write: '-o --output', read: '--random-source' },
  ptx: {
    first: 'read',
    operands: 'both',
    read: '-b --break-file -i --ignore-file -o --only-file',
    value: '-w --width -g --gap-size -W --word-regexp -S --sentence-regexp -F --flag-truncation -M --macro-name',
  },
  'ul numfmt': { operands: 'read', value: '-t -T' },
  date: {
    operands: 'none',
    read: '-f --file -r --reference',
    value: '-d --date -s --set',
    attached: '-I --iso-8601 --rfc-3339',
  },
  'bat batcat': {
    operands: 'read',
    value: '-l --language -r --line-range --style --theme --tabs --wrap --paging --color',
    opaque: { [otherProgram]: '--pager' },
  },
  'xmllint m4 dc pv': { operands: 'read', read: '-f --file', always: 'its options can read, write or run more' },
  openssl: {
    operands: 'none',
    read: '-in -inkey -key -cert -CAfile -config -kfile -certfile',
    write: '-out -keyout',
    always: 'its options can read, write or run more',
  },
  'dos2unix unix2dos': { operands: 'both' },
  fold: { operands: 'read', value: '-w --width' },
  fmt: { operands: 'read', value: '-w --width -p --prefix -g --goal' },
  'expand unexpand': { operands: 'read', value: '-t --tabs' },
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum sum': {
    operands: 'read',
    opaque: { [namesFromFile]: '-c --check' },
  },
  'cksum b2sum shasum': {
    operands: 'read',
    value: '-a --algorithm -l --length',
    opaque: { [namesFromFile]: '-c --check' },
  },
  'base64 base32 basenc': { operands: 'read', value: '-w --wrap' },
  'head tail': {
    operands: 'read',
    value: '-n --lines -c --bytes -s --sleep-interval --pid --max-unchanged-stats',
    attached: '--follow',
  },
  'ls dir vdir': {
    operands: 'read',
    deep: '-R --recursive',
    otherwise: { use: 'read', path: '.' },
    value:
      '-I --ignore -w --width -T --tabsize --block-size --hide --time-style --sort --format --quoting-style --indicator-style --time',
    attached: '--color --classify --hyperlink',
  },
  'exa eza lsd': {
    operands: 'read',
    deep: 'always',
    otherwise: { use: 'read', path: '.' },
    value: '-L --level -I --ignore-glob -s --sort',
  },
  tree: {
    operands: 'read',
    deep: 'always',
    otherwise: { use: 'read', path: '.' },
    value: '-L -P -I -H -T --filelimit --timefmt --charset --sort',
    write: '-o',
    read: '--gitfile --infofile',
    opaque: { [namesFromFile]: '--fromfile --fromtabfile' },
  },
  du: {
    operands: 'read',
    deep: 'always',
    otherwise: { use: 'read', path: '.' },
    value: '-d --max-depth -B --block-size -t --threshold --exclude',
    attached: '--time',
    read: '-X --exclude-from',
    opaque: { [namesFromFile]: '--files0-from' },
  },
  wc: { operands: 'read', value: '--total', opaque: { [namesFromFile]: '--files0-from' } },
  'grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep': {
    first: 'none',
    operands: 'read',
    insteadOfFirst: '-e -f --regexp --file',
    deep: '-r -R --recursive --dereference-recursive -d --directories',
    // Without a file it reads its input, unless it is to look everywhere.
    otherwise: { use: 'read', path: '.', unless: 'shallow' },
    value:
      '-e --regexp -m --max-count -A --after-context -B --before-context -C --context -d --directories -D --devices --include --exclude --exclude-dir --label --binary-files --group-separator',
    attached: '--color --colour',
    read: '-f --file --exclude-from',
  },
  'rg ripgrep': {
    first: 'none',
    operands: 'read',
    insteadOfFirst: '-e -f --regexp --file --files --type-list',
    deep: 'always',
    otherwise: { use: 'read', path: '.', unless: 'fed' },
    value:
      '-e --regexp -m --max-count -A --after-context -B --before-context -C --context -d --max-depth --maxdepth -g --glob --iglob -j --threads -M --max-columns -r --replace -t --type -T --type-not --type-add --type-clear -E --encoding --color --colors --context-separator --dfa-size-limit --engine --field-context-separator --field-match-separator --hyperlink-format --max-filesize --path-separator --pre-glob --regex-size-limit --sort --sortr --generate',
    flag: '--no-pre --files --type-list',
    read: '-f --file --ignore-file',
    opaque: { [otherProgram]: '--pre --hostname-bin -z --search-zip' },
  },
  'ag ack': {
    first: 'none',
    operands: 'read',
    deep: 'always',
    otherwise: { use: 'read', path: '.', unless: 'fed' },
    opaque: { [otherProgram]: '--pager --output --ackrc' },
  },
  sort: {
    operands: 'read',
    value: '-k --key -t --field-separator -S --buffer-size --batch-size --parallel --sort',
    attached: '--check',
    write: '-o --output -T --temporary-directory',
    read: '--random-source',
    opaque: { [otherProgram]: '--compress-program', [namesFromFile]: '--files0-from' },
  },
  // The second operand of `uniq` is written.
  uniq: { first: 'read', operands: 'write', value: '-f --skip-fields -s --skip-chars -w --check-chars' },
  cut: { operands: 'read', value: '-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter' },
  paste: { operands: 'read', value: '-d --delimiters' },
  column: { operands: 'read', value: '-s --separator -o --output-separator -c --output-width -N --table-columns' },
  tr: { operands: 'none' },
  comm: { operands: 'read' },
  join: { operands: 'read', value: '-a -e -j -o -t -v -1 -2' },
  diff: {
    operands: 'read',
    deep: '-r --recursive -N --new-file',
    value:
      '-U -C -I --ignore-matching-lines -x --exclude --label -F --show-function-line -W --width --tabsize --horizon-lines',
    attached: '--color --unified --context --palette',
    read: '-X --exclude-from -S --starting-file --from-file --to-file',
  },
  'diff3 sdiff': {
    operands: 'read',
    write: '-o --output',
    value: '-w --width -L --label',
    opaque: { [otherProgram]: '--diff-program' },
  },
  cmp: { operands: 'read', value: '-n --bytes -i --ignore-initial' },
  od: {
    operands: 'read',
    value: '-A --address-radix -j --skip-bytes -N --read-bytes -t --format',
    attached: '-w -S --width --strings',
  },
  // The second operand of `xxd` is written.
  xxd: { first: 'read', operands: 'write', value: '-c -cols -g -groupsize -l -len -n -name -o -s -seek' },
  'hexdump hd': { operands: 'read', value: '-n --length -s --skip -e --format', read: '-f --format-file' },
  strings: { operands: 'read', value: '-n --bytes -t --radix -e --encoding -s --output-separator -T --target' },
  stat: { operands: 'read', value: '-c --format --printf' },
  file: {
    operands: 'read',
    value: '-F --separator -P --parameter -e --exclude',
    read: '-m --magic-file',
    opaque: {
      'it writes a compiled table': '-C --compile',
      [namesFromFile]: '-f --files-from',
      [otherProgram]: '-z -Z --uncompress',
    },
  },
  'readlink realpath': { operands: 'read', read: '--relative-to --relative-base' },
  less: {
    operands: 'read',
    write: '-o -O --log-file --LOG-FILE',
    read: '-k --lesskey-file --lesskey-src -T --tag-file',
    value: '-p --pattern -P --prompt -b -h -j -x -y -z -t --tag -D --color',
  },
  'more most pg': everything,
  jq: {
    first: 'none',
    operands: 'read',
    insteadOfFirst: '-f --from-file',
    read: '-f --from-file -L --library-path',
    value: '--indent',
    opaque: { 'its words are values, or files, in turn': '--arg --argjson --slurpfile --rawfile --args --jsonargs' },
  },
  'yq xq tomlq': {
    first: 'none',
    operands: 'read',
    value: '-p --input-format -o --output-format -I --indent',
    read: '--from-file',
    opaque: { 'it writes the files it reads': '-i --inplace --in-place -s --split-exp' },
  },
  'lsof fuser md5 look tsort': everything,
  'isoinfo exiftool pdftotext pdfinfo': { ...everything, always: 'its options can write files' },
  'nm objdump readelf size ldd': { ...everything, always: 'it may start what it looks at' },
  split: {
    first: 'read',
    operands: 'write',
    value: '-a -b -C -l -n --bytes --lines --number --line-bytes --suffix-length --additional-suffix -t --separator',
    opaque: { [otherProgram]: '--filter' },
    always: 'it writes files with names of its own making',
  },
  csplit: { first: 'read', operands: 'none', always: 'it writes files with names of its own making' },
  iconv: { operands: 'read', value: '-f -t --from-code --to-code', write: '-o --output' },
  'vi vim nvim view ex ed nano emacs pico joe micro code subl recode': {
    operands: 'both',
    always: 'it can run and write anything',
  },
  'man info': {
    operands: 'none',
    opaque: { [otherProgram]: '-P --pager -H --html -C --config-file -M --manpath -l --local-file' },
  },
};
