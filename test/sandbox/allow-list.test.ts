// The network of a command, part by part of its numbered case: programs in the real sandbox, the real proxy, and servers of
// this machine behind names of the test's own.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/engine/sandbox/sandbox.ts';
import { openEgress } from '../support/egress.ts';
import { startWebServer } from '../support/web-server.ts';
import { findSandbox } from './hostile/find-sandbox.ts';
import { allowListCases } from './hostile/requirements.ts';

const sandbox = await findSandbox('bwrap');
const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url), 'utf8');

const names = {
  'good.example': [['127.0.0.1']],
  'bad.example': [['127.0.0.1']],
  'cloud.example': [['169.254.169.254']],
  'mixed.example': [['93.184.216.34', '127.0.0.1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'moving.example': [['127.0.0.1'], ['169.254.169.254']],
};

interface Part {
  /** For the shell. `ask` tells the status that it gets for an address by http, and by a tunnel. */
  readonly line: (port: number) => string;
  readonly output: string;
  /** Whether the proxy let it through, for each attempt that it saw. */
  readonly attempts: readonly boolean[];
  /** What came to the server. */
  readonly requests: number;
}

const shut = (line: Part['line'], count = 1): Part => ({
  line,
  // A tunnel that is refused has no status of its own.
  output: '403 000\n'.repeat(count),
  attempts: Array<boolean>(count * 2).fill(false),
  requests: 0,
});
const beside = (line: Part['line'], output: string): Part => ({ line, output, attempts: [], requests: 0 });

/** In the order of the parts of the case. */
const parts: readonly Part[] = [
  { line: (port) => `ask good.example:${port}`, output: '200 200\n', attempts: [true, true], requests: 2 },
  { line: (port) => `ask_by_tls good.example:${port}`, output: '200\n', attempts: [true], requests: 1 },
  shut((port) => `ask bad.example:${port}`),
  shut(() => 'ask good.example:1'),
  shut((port) => `ask 127.0.0.1:${port}`),
  shut((port) => `ask cloud.example:${port}`),
  shut((port) => `ask mixed.example:${port}`),
  shut((port) => `ask mapped.example:${port}`),
  { line: (port) => `ask moving.example:${port}`, output: '200 000\n', attempts: [true, false], requests: 1 },
  shut((port) => `for each in 2130706433 0177.0.0.1 0x7f.1 127.1; do ask $each:${port}; done`, 4),
  beside(
    (port) => `for each in 127.0.0.1 192.0.2.1; do (exec 3<>/dev/tcp/$each/${port}) 2>&1 | sed -n '$s/.*: //p'; done`,
    'Connection refused\nNetwork is unreachable\n',
  ),
  beside(() => 'getent ahosts good.example || echo none', 'none\n'),
];

const functions = `ask() {
  curl -s -m 10 --noproxy '' "http://$1/" -w '%{http_code} ' -o /dev/null
  curl -s -m 10 --noproxy '' -p "http://$1/" -w '%{http_code}\\n' -o /dev/null
}
ask_by_tls() { curl -sk -m 10 --noproxy '' "https://$1/" -w '%{http_code}\\n' -o /dev/null; }`;

/** Where the address of the server is not allowed beside the names: what is refused there is the address. */
const byNameAlone = [5, 7, 8, 10];
const byTls = 2;

describe.skipIf(typeof sandbox === 'string')('the network of a command (needs bubblewrap)', () => {
  it.each(parts.map((part, index) => [index + 1, allowListCases[index] ?? '', part] as const))(
    'is held to its list: %i, %s',
    async (number, _title, { line, ...expected }) => {
      await using server = await startWebServer(
        (_, response) => response.end('hello'),
        number === byTls ? pem : undefined,
      );
      const { port } = server;
      const hosts = Object.keys(names).filter((name) => name !== 'bad.example');
      const here = byNameAlone.includes(number) ? [] : ['127.0.0.1'];
      const allow = [...hosts, ...here].map((host) => `${host}:${port}`);
      const egress = await openEgress({ allow, names });
      // What is still under way is told when the proxy is closed.
      const close = () => egress[Symbol.asyncDispose]();
      const output = await run(`${functions}\n${line(port)}`, egress.socket).finally(close);
      const attempts = egress.attempts.map(({ allowed }) => allowed);
      expect({ output, attempts, requests: server.requests.length }).toEqual(expected);
    },
  );
});

async function run(line: string, socket: string): Promise<string> {
  if (typeof sandbox === 'string') throw new Error(sandbox);
  const spec = {
    argv: ['bash', '-c', line],
    directory: { mode: 'ephemeral', files: [], collect: [] },
    environment: {},
    limits: { ...defaultLimits, wallMs: 40_000 },
    network: { kind: 'proxy', socket },
  } as const;
  const result = await sandbox.run(spec, new AbortController().signal);
  if (result.kind !== 'exit') throw new Error(JSON.stringify(result));
  return result.stdout.text;
}
