import { beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineReader, type LinePart, openCommandLineReader } from './read-command-line.ts';

let reader: CommandLineReader;

beforeAll(async () => {
  reader = await openCommandLineReader();
});

/** Everything but the command itself, in short; `?` stands for an opaque part, `??` for one that may run anything. */
function acts(line: string): string[] {
  const own = line.split(' ')[0];
  return reader.readLine(line).flatMap((part) => {
    if (part.kind === 'command' && part.words[0] === own) return [];
    return [show(part)];
  });
}

function show(part: LinePart): string {
  switch (part.kind) {
    case 'command':
      return `run ${part.words.join(' ')}`;
    case 'opaque':
      return part.program === null ? '??' : `? ${part.program}`;
    case 'path':
      return `${part.act === 'read' ? 'r' : 'w'}${part.isDeep ? '*' : ''} ${part.directory === '.' || part.directory === '/' ? '' : `${part.directory}:`}${part.path}`;
    case 'net':
      return `dial ${part.target}`;
  }
}

describe('programs that read', () => {
  it.each([
    ['cat -n a -- -b', ['r a', 'r -b']],
    ['cat - /dev/stdin /dev/null', []],
    ['head -n 5 a', ['r a']],
    ['head -5 a b', ['r a', 'r b']],
    ['ls -t a', ['r a']],
    ['ls -R', ['r* .']],
    ['grep -f words a', ['r words', 'r a']],
    ['grep -rn x', ['r* .']],
    ['grep x', []],
    ['grep -d recurse x .', ['r* .']],
    ['grep --directories=recurse x a', ['r* a']],
    ['wc --unknown=x a', ['r x', 'r a']],
    ['pr a', ['r a']],
    ['date -f a', ['r a']],
    ['openssl enc -in a -out b', ['? openssl', 'r a', 'w b']],
    ['grep -e x -e y a', ['r a']],
    ['rg x', ['r* .']],
    ['rg --files a', ['r* a']],
    ['true | rg x', ['run rg x']],
    ['true | rg --files', ['run rg --files', 'r* .']],
    ['true | { rg x src; }', ['run rg x src', 'r* src']],
    ['rg --pre ./run x', ['? rg', 'r* x']],
    ['rg --pr=./run x', ['? rg', 'r* .']],
    ['sort -o out a', ['w out', 'r a']],
    ['sort -oout a', ['w out', 'r a']],
    ['sort --outp=out a', ['w out', 'r a']],
    ['sort --compress-program=x a', ['? sort', 'r a']],
    ['uniq a b', ['r a', 'w b']],
    ['diff --color a b', ['r a', 'r b']],
    ['wc --files0-from=a', ['? wc']],
    ['file -f names', ['? file', 'r names']],
    ['jq .a b', ['r b']],
    ['jq --rawfile x secret .', ['? jq', 'r secret', 'r .']],
    ['yq -i .a=1 f', ['? yq', 'r f']],
    ['vim f', ['? vim', 'r f', 'w f']],
    ['man -P ./x ls', ['? man']],
    ['xxd a b', ['r a', 'w b']],
    ['less -o log a', ['w log', 'r a']],
    ['tree -o out a', ['w out', 'r* a']],
  ])('%s', (line, expected) => {
    expect(acts(line)).toEqual(expected);
  });
});

describe('programs that write', () => {
  it.each([
    ['tee -a x y', ['w x', 'w y']],
    ['touch -r a b', ['r a', 'w b']],
    ['rm -rf a', ['w* a']],
    ['rm -- -a', ['w -a']],
    ['mv a b', ['r* a', 'w* a', 'w* b', 'w b/a']],
    ['mv -t d a b', ['w d', 'r* a', 'w* a', 'r* b', 'w* b', 'w* d', 'w d/a', 'w d/b']],
    ['cp x/hook .git/hooks/', ['r x/hook', 'w .git/hooks/', 'w .git/hooks/hook']],
    ['cp -r x/. d', ['? cp', 'r* x/.', 'w* d']],
    ['cp *.c d', ['? cp', 'r .', 'w d']],
    ['ln -s /etc/passwd x', ['? ln', 'r /etc/passwd', 'w /etc/passwd', 'w x', 'w x/passwd']],
    ['dd if=a of=b bs=1', ['r a', 'w b']],
    ['chmod +x a', ['w a']],
    ['chmod -x a', ['w a']],
    ['chmod -R 755 a', ['w* a']],
    ['chown --reference=a b', ['r a', 'w b']],
    ['truncate -s 0 a', ['w a']],
    ['patch -p1 -i x', ['? patch', 'r x']],
    ['gzip a', ['? gzip', 'r a', 'w a']],
    ['split a b', ['? split', 'r a', 'w b']],
    ['tar czf out.tgz a b', ['w out.tgz', 'r* a', 'r* b']],
    ['tar -xf a -C d', ['? tar', 'r a', 'r* d', 'w* d']],
    ['tar tf a', ['r a']],
    ['tar cf x --checkpoint-action=exec=sh a', ['? tar', 'w x', 'r* a']],
    ['tar cf x --to-com=sh a', ['? tar', 'w x', 'r* a']],
    ['tar -cf x --add-file=b a', ['w x', 'r* b', 'r* a']],
    ['tar -cf x --index-file y a', ['w x', 'w y', 'r* a']],
    ['tar -cf x --unheard-of=y a', ['? tar', 'w x', 'r* a']],
    ['tar -I ./x -xf a', ['? tar', 'r a', 'w* .']],
    ['tar cfC x d a', ['? tar', 'r* x', 'w* x', 'r* d', 'w* d', 'r* a', 'w* a']],
  ])('%s', (line, expected) => {
    expect(acts(line)).toEqual(expected);
  });
});

describe('find, sed and awk', () => {
  it.each([
    ['find', ['r* .']],
    ['find a b -name x', ['r* a', 'r* b']],
    ['find a -delete', ['r* a', 'w* a']],
    ['find a -fprintf out %p', ['r* a', 'w out']],
    ['find a -newer b', ['r* a', 'r b']],
    ["find . -exec sh -c 'rm x' {} ;", ['r* .', '? sh', 'run rm x', 'w x']],
    ["find . -ok rm {} ';' -exec cat {} +", ['r* .', '? rm', '? cat']],
    ['fd x a -x rm', ['r* a', '? rm']],
    ['fd x', ['r* .']],
    ['fd -xrm x', ['? fd', 'r* .', '??']],
    ['sed s/a/b/ f', ['r f']],
    ["sed -n -e '1,20p;/x/,$d' f", ['r f']],
    ["sed 's/a/b/w out' f", ['? sed', 'r f']],
    ["sed 's/a/b/e' f", ['? sed', 'r f']],
    ["sed '1e rm x' f", ['? sed', 'r f']],
    ["sed 'r secret' f", ['? sed', 'r f']],
    ["sed --expression='w out' f", ['? sed', 'r f']],
    ['sed -f script f', ['? sed', 'r script', 'r f']],
    ["sed -i.bak 's#a#b#g' f", ['r f', 'w f', 'w f.bak']],
    ["awk -F: '{ print $1 }' f", ['r f']],
    [`awk '{ print > "out" }' f`, ['? awk', 'r f']],
    [`awk 'BEGIN { system("rm x") }'`, ['? awk']],
    [`awk '{ print | "sh" }' f`, ['? awk', 'r f']],
    ['awk -f script f', ['? awk', 'r script', 'r f']],
  ])('%s', (line, expected) => {
    expect(acts(line)).toEqual(expected);
  });
});

describe('git', () => {
  it.each([
    ['git status', []],
    ['git --no-pager log -3', []],
    ['git -c core.pager=x log', ['? git']],
    ['git --config-env=a=b log', ['? git']],
    ['git --exec-path=x log', ['? git']],
    ['git -C sub log', ['r sub']],
    ['git unknown', ['? git']],
    ['git rebase -x make main', ['? git']],
    ['git bisect run x', ['? git']],
    ['git submodule foreach x', ['? git']],
    ['git grep -Oless x', ['? git', 'r x']],
    ['git config core.editor x', ['? git']],
    ['git diff -- secret', ['r secret']],
    ['git show HEAD:secret', ['r* secret']],
    ['git rm a', ['w* a']],
    ['git clone https://h/x d', ['w d', 'w d/.git/HEAD', 'dial h:443']],
    ['git init d', ['w d', 'w d/.git/HEAD']],
    ['git show :a/b', ['r* a/b']],
    ['git cat-file -p :1:./a', ['r* ./a']],
    ['cd d && git show HEAD:a', ['r d', 'run git show HEAD:a', 'r* a']],
    ['git -C d diff --no-index a /b', ['r d', 'r* d/a', 'r* /b']],
    ['git -C d -C e show HEAD:./a', ['r d', 'r d/e', 'r* d/e/./a']],
    ["git diff -- ':(top)a'", ['? git', 'r :(top)a']],
    ["git diff 'a*'", ['? git', 'r a*']],
    ['git diff --text --stat HEAD~1', ['r HEAD~1']],
    ['git log --outp=x', ['? git']],
    ['git grep --untracked x', ['r* .', 'r* x']],
    ['git grep --no-index x a', ['r* x', 'r* a']],
    ['git clean -fd', ['? git', 'w .']],
    ['git clean -fdx a', ['w* a']],
    ['git clean -n', []],
    ['git apply a', ['? git']],
    ['git format-patch HEAD', ['? git']],
    ['git commit -F a', ['r a']],
    ['git commit --fil=a', ['r a']],
    ['git commit -m a', []],
    ['git add . a', ['r .', 'r a']],
    ['git checkout -b a', []],
    ['git clone git@h:x', ['dial h:22']],
    ['git clone ssh://h:2222/x', ['dial h:2222']],
    ['git clone ../x', ['r* ../x']],
    ["git clone 'ext::sh -c x'", ['? git']],
    ['git push origin main', ['? git']],
    ['git fetch --upload-pack=x https://h/x', ['? git', 'dial h:443']],
    ['git diff a b', ['r* a', 'r* b']],
    ['git hash-object a', ['r* a']],
    ["git diff -- . ':!a' ':(exclude)b'", ['r .']],
    ['git show origin/main:a', ['r* a']],
    ["git show 'HEAD@{10:00}:a'", ['r* a']],
  ])('%s', (line, expected) => {
    expect(acts(line)).toEqual(expected);
  });
});

describe('programs that connect', () => {
  it.each([
    ['curl https://h/x', ['dial h:443']],
    ['curl -sS h', ['dial h:80']],
    ['curl -o out http://h:8080/x', ['w out', 'dial h:8080']],
    ['curl -O https://h/a/b', ['w ./b', 'dial h:443']],
    ['curl -d @secret https://h', ['r secret', 'dial h:443']],
    ['curl -F f=@secret https://h', ['r secret', 'dial h:443']],
    ['curl -T secret https://h', ['r secret', 'dial h:443']],
    ['curl -K conf', ['? curl', 'r conf'].slice(0, 1)],
    ['curl -L https://h', ['? curl', 'dial h:443']],
    ['curl -x p https://h', ['? curl', 'dial h:443']],
    ['curl file:///etc/passwd', ['r /etc/passwd']],
    ["curl 'https://{a,b}/'", ['? curl']],
    ['curl $url', ['? curl']],
    ['wget -O out https://h', ['? wget', 'w out', 'dial h:443']],
    ['ssh u@h rm x', ['? ssh', 'dial h:22', '??']],
    ['scp -P 2 a u@h:b', ['? scp', 'r* a', 'dial h:2', '??']],
    ['rsync -e ./x a h:b', ['? rsync', 'r* a', 'dial h:22', '??']],
    ['nc h 80', ['? nc', 'dial h:80']],
    ['nc -e sh h 80', ['? nc', 'dial h:80', '??']],
  ])('%s', (line, expected) => {
    expect(acts(line)).toEqual(expected);
  });
});

describe('programs that start others', () => {
  it.each([
    ['sudo -u me rm x', ['run rm x', 'w x']],
    ['sudo --unknown rm x', ['? sudo', '??', 'run rm x', 'w x']],
    ['sudo A=1 rm x', ['? sudo', 'run rm x', 'w x']],
    ['env LANG=C rm x', ['run rm x', 'w x']],
    ['env - PATH=x rm x', ['? env', 'run rm x', 'w x']],
    ["env -S 'rm x'", ['? env', '??', 'run rm x']],
    ['timeout -k 5 10 rm x', ['run rm x', 'w x']],
    ['timeout $t rm x', ['? timeout', '??', 'run rm x', 'w x']],
    ['nice -n 5 rm x', ['run rm x', 'w x']],
    ['xargs -a names rm', ['r names', '? rm']],
    ['xargs -I{} rm {}', ['? rm']],
    ["xargs -I{} sh -c 'rm {}'", ['? sh', '??']],
    ['watch rm x', ['run rm x', 'w x']],
    ["script -c 'rm x' log", ['? script', 'w log', '??', 'run rm x', 'w x']],
    ["su me -c 'rm x'", ['? su', '??', 'run rm x', 'w x']],
    ["bash -lc 'rm x'", ['? bash', '??', 'run rm x', 'w x']],
    ["bash -o errexit -c 'rm x'", ['run rm x', 'w x']],
    ["sh -c 'rm {a,b}'", ['??', 'run rm a b', 'w a', 'w b']],
    ['bash -c $x', ['? bash', '??']],
    ['bash x.sh a', ['? bash', 'r x.sh', '??']],
    ['make -f other all', ['r other']],
    ['make SHELL=./x', ['? make']],
    ["npx -c 'rm x'", ['run rm x', 'w x']],
    ['npx vitest -c x', []],
    ["python -c 'print(1)'", []],
  ])('%s', (line, expected) => {
    expect(acts(line)).toEqual(expected);
  });
});
