// Programs that open connections: where to, as far as it is literal, and which files they send or write.
import { type ParsedOption, parseOptions, toForms } from './parse-options.ts';
import { type ProgramSetting, ProgramUse } from './program-use.ts';
import { toAddress } from './to-address.ts';
import { literalValue, toLiteralWord, type Word } from './word.ts';

const otherWay = 'an option of it says where it connects, or what it runs';

const curlForms = toForms({
  flag: '-s -S -f -i -I -k -L -v -O -J -g -G -N -R -a -q --silent --show-error --fail --include --head --insecure --location --location-trusted --verbose --remote-name --remote-name-all --remote-header-name --compressed --get --json-flag --http1.1 --http2 --http3 --tlsv1.2 --tlsv1.3 --no-progress-meter --progress-bar',
  value:
    '-o --output -T --upload-file -K --config -d --data --data-binary --data-raw --data-urlencode --data-ascii --json -F --form --form-string -H --header -X --request -A --user-agent -e --referer -u --user -b --cookie -c --cookie-jar -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -x --proxy --resolve --connect-to --unix-socket --abstract-unix-socket --interface --dns-servers -E --cert --key --cacert --capath --url -D --dump-header --trace --trace-ascii --stderr --output-dir -r --range -z --time-cond --limit-rate --max-redirs --max-filesize -y -Y --preproxy --socks4 --socks4a --socks5 --socks5-hostname --doh-url --netrc-file --hsts --alt-svc --etag-save --etag-compare --engine --libcurl -t --telnet-option -Q --quote --url-query --variable --expand-url --ciphers --pinnedpubkey -C --continue-at -U --proxy-user --noproxy -P --ftp-port -h --help --aws-sigv4',
});

const curlWrites = new Set(
  '-o --output -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --hsts --alt-svc --etag-save --libcurl'.split(
    ' ',
  ),
);
const curlReads = new Set('-T --upload-file -E --cert --key --cacert --netrc-file --etag-compare'.split(' '));
const curlOpaque =
  /^(?:-K|--config|-L|--location|--location-trusted|-x|--proxy|--preproxy|--socks.*|--resolve|--connect-to|--unix-socket|--abstract-unix-socket|--dns-servers|--doh-url|--engine|-J|--remote-header-name|--output-dir|-Q|--quote|--variable|--expand-.*|-n|--netrc.*|-t|--telnet-option|--capath|-:|--next)$/;

export function readCurl(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  const { options, operands } = parseOptions(words, { forms: curlForms });
  const urls = [...operands];
  let savesByName = false;
  for (const { name, value, isKnown } of options) {
    if (curlOpaque.test(name) || (!isKnown && name.startsWith('--'))) use.blur(otherWay);
    if (curlWrites.has(name)) use.open('write', notStream(value));
    if (curlReads.has(name)) use.open('read', notStream(value));
    if (/^(?:-d|--data.*|--json|-F|--form|-H|--header|-b|--cookie|-w|--write-out|--url-query)$/.test(name))
      readSentFile(use, name, value);
    if (name === '--url' && value !== null) urls.push(value);
    if (/^(?:-O|--remote-name.*)$/.test(name)) savesByName = true;
  }
  for (const url of urls) openUrl(use, url, savesByName);
  return use;
}

/** `@file` and `name=@file`, and for cookies a file without any sign. */
function readSentFile(use: ProgramUse, name: string, value: Word | null): void {
  const text = literalValue(value ?? undefined);
  if (text === null || /raw/.test(name)) return;
  const file = /^-(?:b|-cookie)$/.test(name)
    ? text.includes('=')
      ? undefined
      : text
    : (/^(?:[^@<]*=)?[@<]([^;,]+)/.exec(text)?.[1] ?? /^[^=]*@(.+)/.exec(text)?.[1]);
  if (file !== undefined && file !== '-') use.open('read', toLiteralWord(file));
  if (/^(?:-w|--write-out)$/.test(name) && text.includes('%output{')) use.blur('it writes where its format says');
}

function openUrl(use: ProgramUse, word: Word, savesByName: boolean): void {
  const text = literalValue(word);
  if (text === null) return;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const address = toAddress(full);
  if (/^file:/i.test(full)) use.open('read', toLiteralWord(decode(full.replace(/^file:\/\/(?:localhost)?/i, ''))));
  else if (address === null) use.blur('where it connects is not clear');
  else use.dial(address);
  const name = /([^/?#]+)(?:[?#].*)?$/.exec(full)?.[1];
  if (!savesByName) return;
  if (name === undefined) use.blur('the name of what it writes is not known');
  else use.open('write', toLiteralWord(`./${decode(name)}`)).open('write', toLiteralWord(`./${name}`));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const wgetForms = toForms({
  value:
    '-O --output-document -o --output-file -a --append-output -P --directory-prefix -i --input-file -U --user-agent --header -t --tries -T --timeout --post-file --post-data --body-file --body-data --method -e --execute --use-askpass --config --max-redirect -w --wait -Q --quota -A --accept -R --reject -D --domains --user --password --load-cookies --save-cookies --ca-certificate --certificate --private-key --limit-rate -l --level -B --base --warc-file',
});

export function readWget(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse().blur('it follows redirects to other places, and names what it writes by itself');
  const { options, operands } = parseOptions(words, { forms: wgetForms });
  for (const { name, value } of options) {
    if (/^(?:-O|-o|-a|-P|--output-.*|--append-output|--directory-prefix|--save-cookies|--warc-file)$/.test(name))
      use.open('write', notStream(value));
    if (/^(?:-i|--input-file|--post-file|--body-file|--load-cookies|--config|--private-key|--certificate)$/.test(name))
      use.open('read', notStream(value));
  }
  if (!options.some(({ name }) => name === '-O' || name === '--output-document'))
    use.open('write', toLiteralWord('.'), true);
  for (const url of operands) openUrl(use, url, false);
  return use;
}

const remote = 'it runs or moves things on another machine, and reads a configuration that can run programs';
const sshForms = toForms({ value: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -s -w -W -B -T --rsh -X' });

/** `ssh`, `scp`, `sftp`, `rsync`: operands with a host lead there, the others are files here. */
export function readRemoteShell(words: readonly Word[], { program }: ProgramSetting): ProgramUse {
  const use = new ProgramUse().blur(remote);
  const { options, operands } = parseOptions(words, { forms: sshForms, stopsAtOperand: program === 'ssh' });
  const port = portOf(options) ?? '22';
  if (program === 'ssh' || program === 'sftp') {
    const host = /^(?:[^@]*@)?([\w.-]+)/.exec((literalValue(operands[0]) ?? '').replace(/^ssh:\/\//, ''))?.[1];
    if (host !== undefined) use.dial(`${host}:${port}`);
    return use.hide('what it runs is run on another machine');
  }
  for (const [index, word] of operands.entries()) {
    const host = /^(?:[^@/]*@)?([\w.-]+):/.exec(literalValue(word) ?? '')?.[1];
    if (host !== undefined) use.dial(`${host}:${port}`);
    else use.open(index === operands.length - 1 ? 'write' : 'read', word, true);
  }
  return use.hide('an option of it can run programs');
}

/** `nc`, `telnet`, `ftp` and the like: a host and a port as words. */
export function readRawConnection(words: readonly Word[], { program }: ProgramSetting): ProgramUse {
  const use = new ProgramUse().blur('what goes over its connection is not known');
  const { operands } = parseOptions(words, { forms: toForms({ value: '-w -s -p -i -q -X -x -o -e -c' }) });
  const [host, port = program === 'ftp' ? '21' : '23'] = operands.map((word) => literalValue(word) ?? '');
  if (host !== undefined && /^[\w.:-]+$/.test(host)) use.dial(`${host.includes(':') ? `[${host}]` : host}:${port}`);
  if (words.some((word) => /^-[a-zA-Z]*[ec]|^--(?:sh-)?exec/.test(literalValue(word) ?? '')) || program === 'socat')
    use.hide('it runs a program for its connection');
  return use;
}

function portOf(options: readonly ParsedOption[]): string | null {
  const option = options.find(({ name }) => name === '-p' || name === '-P');
  return option === undefined ? null : literalValue(option.value ?? undefined);
}

function notStream(word: Word | null): Word | null {
  return literalValue(word ?? undefined) === '-' ? null : word;
}
