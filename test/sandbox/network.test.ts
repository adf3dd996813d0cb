// The network of a command in the real sandbox: none by default, and where it is given a proxy, what the proxy lets through.
// The programs inside know nothing of all that but the usual variables.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findHostHelper } from '../../src/engine/process/find-host-helper.ts';
import { findProcessesOfUid } from '../../src/engine/process/find-processes-of-uid.ts';
import { identityRange } from '../../src/engine/sandbox/identity/identity-range.ts';
import { createLandlockBackend } from '../../src/engine/sandbox/landlock/landlock-backend.ts';
import { forwarderPort, proxySocketPath } from '../../src/engine/sandbox/linux/forwarder-source.ts';
import {
  defaultLimits,
  type Sandbox,
  type SandboxNetwork,
  type SandboxResult,
} from '../../src/engine/sandbox/sandbox.ts';
import { createSandbox } from '../../src/engine/sandbox/select-sandbox.ts';
import { listCandidates } from '../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../src/engine/sandbox/selection/trials.ts';
import { toSandbox } from '../../src/engine/sandbox/to-sandbox.ts';
import { type EgressSetting, openEgress } from '../support/egress.ts';
import { createFloorSandbox } from '../support/floor-sandbox.ts';
import { startWebServer } from '../support/web-server.ts';

const sandbox = createSandbox({ minimum: 'isolated', trials: createTrials(listCandidates({ mounts: [] })) });
const isEnclosed = (await sandbox.ready()) === 'bwrap';
const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url), 'utf8');

const never = new AbortController().signal;

function run(argv: readonly [string, ...string[]], network?: SandboxNetwork, within: Sandbox = sandbox) {
  const spec = {
    argv,
    directory: { mode: 'ephemeral', files: [], collect: [] } as const,
    environment: {},
    limits: { ...defaultLimits, wallMs: 30_000 },
  };
  return within.run(network === undefined ? spec : { ...spec, network }, never);
}

/** How it ended and what it wrote. */
function toEnd(result: SandboxResult): string {
  if (result.kind === 'not-started') return result.reason;
  const how = result.kind === 'exit' ? result.code : result.kind === 'signal' ? result.signal : JSON.stringify(result);
  return `${how}: ${(result.stdout.text + result.stderr.text).trim()}`;
}

const own = { 'good.example': [['127.0.0.1']], 'bad.example': [['127.0.0.1']] };

/** Runs with the server of this machine behind `good.example` and `bad.example`, of which one is allowed. */
async function reach(argv: (port: number) => readonly [string, ...string[]], setting: EgressSetting = {}) {
  await using server = await startWebServer((request, response) => {
    request.resume().once('end', () => {
      if (request.url === '/moved') response.writeHead(302, { location: `http://bad.example:${server.port}/` }).end();
      else response.end(`${request.method} ${request.headers.host} hello\n`);
    });
  });
  const allow = ['good.example', `127.0.0.1:${server.port}`];
  await using egress = await openEgress({ allow, names: own, ...setting });
  const result = await run(argv(server.port), { kind: 'proxy', socket: egress.socket });
  return { end: toEnd(result), result, attempts: egress.attempts, requests: server.requests, port: server.port };
}

const node = (code: string) => ['node', '--input-type=module', '-e', code] as const;
const python = (code: string) => ['/usr/bin/python3', '-c', code] as const;
const curl = (...args: string[]) => ['curl', '-sS', '-m', '10', ...args] as const;

const fetchAll = (...urls: string[]) =>
  node(`for (const url of ${JSON.stringify(urls)}) {
    const answer = await fetch(url).catch((error) => ({ status: error.cause?.code ?? error.message, text: () => '' }));
    console.log(answer.status, (await answer.text()).trim());
  }`);

describe.skipIf(!isEnclosed)('a command with a proxy', () => {
  it('reaches the allowed host and no other with fetch of Node', async () => {
    const { end, requests, port, attempts } = await reach((port) =>
      fetchAll(`http://good.example:${port}/a`, `http://bad.example:${port}/`, `http://127.0.0.2:${port}/`),
    );
    expect([end, requests, attempts.map(({ target, allowed }) => [target, allowed])]).toEqual([
      expect.stringMatching(/^0: 200 GET good\.example:\d+ hello\n/),
      [`GET /a good.example:${port}`],
      [
        [`good.example:${port}`, true],
        [`bad.example:${port}`, false],
        [`127.0.0.2:${port}`, false],
      ],
    ]);
  });

  it('reaches the allowed host and no other with urllib of Python', async () => {
    const code = (port: number) => `import urllib.request, urllib.error
for host in ('good.example', 'bad.example'):
  try: print(urllib.request.urlopen('http://%s:${port}/' % host).status)
  except urllib.error.HTTPError as error: print(error.code, error.read().decode())`;
    const { end } = await reach((port) => python(code(port)));
    expect(end).toMatch(/^0: 200\n403 bad\.example:\d+: net of "bad\.example:\d+" is denied by default/);
  });

  it('reaches the allowed host by TLS, and by no name beside it', async () => {
    await using server = await startWebServer((_, response) => response.end('hello'), pem);
    const { port } = server;
    await using egress = await openEgress({ allow: ['good.example', `127.0.0.1:${port}`], names: own });
    const socket = { kind: 'proxy', socket: egress.socket } as const;
    const url = `https://good.example:${port}/`;
    const fronted = ['--connect-to', `bad.example:${port}:good.example:${port}`, `https://bad.example:${port}/`];
    expect([
      toEnd(await run(curl('-k', url), socket)),
      toEnd(await run(curl('-k', ...fronted), socket)),
      server.requests,
      egress.attempts.map(({ because }) => because),
    ]).toEqual([
      '0: hello',
      expect.stringMatching(/^35: .*alert access denied/),
      [`GET / good.example:${port}`],
      [null, 'TLS in the tunnel is meant for another host, bad.example'],
    ]);
  });

  it('finds no way beside the proxy: no name, no address, no other port of this machine', async () => {
    const code = (port: number) => `import socket
def tries(what, *args):
  try: what(*args); print('reached')
  except OSError as error: print(type(error).__name__, error.errno)
tries(socket.getaddrinfo, 'good.example', 80)
tries(socket.create_connection, ('127.0.0.1', ${port}), 5)
tries(socket.create_connection, ('192.0.2.1', 80), 5)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
tries(udp.sendto, b'x', ('192.0.2.1', 53))`;
    const { end, requests } = await reach((port) => python(code(port)));
    expect([end, requests]).toEqual([
      expect.stringMatching(/^0: gaierror -\d+\nConnectionRefusedError 111\nOSError 101\nOSError 101$/),
      [],
    ]);
  });

  it('is not led on by a redirect, nor by a name that leads elsewhere the next time', async () => {
    const names = { ...own, 'good.example': [['127.0.0.1'], ['127.0.0.1'], ['169.254.169.254']] };
    const { end, requests } = await reach(
      (port) =>
        curl('-L', '-w', '<%{http_code}>', ...['moved', 'a', 'b'].map((path) => `http://good.example:${port}/${path}`)),
      { names },
    );
    expect([end.match(/<\d{3}>/g), requests.length]).toEqual([['<403>', '<200>', '<403>'], 2]);
  });

  it('sends no more than it may', async () => {
    const limits = { sentBytesPerHost: 1_000_000 };
    const code = (port: number) => `import urllib.request, urllib.error
for size in (900000, 900000):
  try: print(urllib.request.urlopen('http://good.example:${port}/', bytes(size)).status)
  except OSError as error: print(getattr(error, 'code', 'cut off'))`;
    const { end, attempts } = await reach((port) => python(code(port)), { limits });
    expect([end, attempts.map(({ because }) => because)]).toEqual([
      expect.stringMatching(/^0: 200\n(502|cut off)$/),
      [null, 'a command may send 1000000 bytes to one host'],
    ]);
  });

  it('holds many connections at the same time', async () => {
    const code = (port: number) =>
      node(`const all = await Promise.all(Array.from({ length: 300 }, async (_, index) =>
        (await (await fetch('http://good.example:${port}/' + index)).text()).includes('hello')));
      console.log(all.filter(Boolean).length);`);
    const { end, requests } = await reach(code);
    expect([end, requests.length]).toEqual(['0: 300', 300]);
  });

  it.each<[what: string, line: string, end: string]>([
    ['its exit code', 'exit 7', '7: '],
    ['its signal', 'kill -KILL $$', 'SIGKILL: '],
    ['the signal that it asked for', 'kill -TERM $$', 'SIGTERM: '],
    ['what its group is sent', 'trap "" TERM; kill -TERM 0; exit 4', '4: '],
    ['the signals that it waits for', 'trap "echo got it; exit 5" USR1; kill -USR1 $$; exit 6', '5: got it'],
    ['no trace of the way out in its descriptors', 'ls /proc/self/fd | wc -l', '0: 4'],
  ])('keeps %s', async (_what, line, end) => {
    expect((await reach(() => ['bash', '-c', line])).end).toBe(end);
  });

  it('ends with its first program, whatever else still runs', async () => {
    const started = performance.now();
    const { end, result } = await reach(() => ['bash', '-c', 'sleep 600 & echo done']);
    expect([end, 'survivors' in result && result.survivors, performance.now() - started < 10_000]).toEqual([
      '0: done',
      0,
      true,
    ]);
  });

  it('can do no more to the socket than connect to it', async () => {
    const tries = [`rm -f ${proxySocketPath}`, `chmod 0 ${proxySocketPath}`, `touch ${proxySocketPath}.new`];
    const { end } = await reach(() => ['bash', '-c', `${tries.join(' 2>&1; ')} 2>&1; ls /run/network`]);
    expect(end.replaceAll(/^.*: /gm, '')).toBe(
      ['Read-only file system', 'Read-only file system', 'Read-only file system', 'proxy'].join('\n'),
    );
  });

  it('is told of the proxy by the usual names', async () => {
    const { end } = await reach(() => ['bash', '-c', 'env | grep -i proxy | sort']);
    const url = `http://127.0.0.1:${forwarderPort}`;
    const direct = 'localhost,127.0.0.1,::1';
    const variables = {
      ...Object.fromEntries(['ALL', 'HTTP', 'HTTPS'].map((name) => [`${name}_PROXY`, url])),
      ...Object.fromEntries(['all', 'http', 'https'].map((name) => [`${name}_proxy`, url])),
      ...{ CARGO_HTTP_PROXY: url, NODE_USE_ENV_PROXY: '1', NO_PROXY: direct, no_proxy: direct },
      ...{ npm_config_proxy: url, npm_config_https_proxy: url, npm_config_noproxy: direct },
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    expect(end.replace('0: ', '').split('\n').sort()).toEqual(lines.sort());
  });

  it('leaves nothing behind', async () => {
    const before = readdirSync('/mnt');
    await reach(() => ['bash', '-c', 'exec true']);
    const ids = Array.from({ length: 20 }, (_, index) => identityRange.first + index);
    expect([ids.flatMap(findProcessesOfUid), readdirSync('/mnt')]).toEqual([[], before]);
  });
});

describe.skipIf(!isEnclosed)('a command without a proxy', () => {
  it('has no network, and is told of none', async () => {
    expect(
      toEnd(await run(['bash', '-c', 'env | grep -ic _proxy; ls /sys/class/net 2>&1 | head -1; ls /run 2>&1'])),
    ).toMatch(/^2: 0\n/);
  });
});

describe('a sandbox that cannot keep a command to a proxy', () => {
  const perl = findHostHelper('perl');
  const landlock = toSandbox(createLandlockBackend({ perl: perl ?? '/usr/bin/perl', toolchains: [], extraMounts: [] }));

  it.each<[name: string, sandbox: Sandbox, reason: string]>([
    ['landlock', landlock, 'Landlock cannot keep a command to some hosts, so it gets no network here'],
    ['the floor', createFloorSandbox(), 'nothing here keeps a command to some hosts'],
  ])('starts none that wants it: %s', async (_name, within, reason) => {
    expect(toEnd(await run(['true'], { kind: 'proxy', socket: '/nowhere' }, within))).toBe(reason);
  });
});
