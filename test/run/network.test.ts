// The network of a command in a run: given by a rule or by a yes to the hosts that its line names, kept to them, journaled,
// told to the model where it was refused, and never repeated after a crash.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';
import { startWebServer } from '../support/web-server.ts';

const shell = (command: string): ScriptedCall => ({ tool: 'shell', arguments: { command } });

const open = (...calls: ScriptedCall[]): Promise<Scenario> =>
  openScenario(({ position }) => {
    const call = calls[position];
    return call === undefined ? { text: 'Done.' } : { calls: [call] };
  });

interface Wishes {
  readonly allow?: readonly string[];
  readonly byDefault?: 'allow' | 'ask' | 'deny';
}

/** What the person says: `curl` and `echo` may run, and these hosts may be reached. */
function writePolicy({ home }: Scenario, { allow = [], byDefault = 'deny' }: Wishes): void {
  const hosts = allow.map((pattern) => ({ act: 'net', effect: 'allow', pattern }));
  const programs = ['curl', 'echo'].map((pattern) => ({ act: 'exec', effect: 'allow', pattern }));
  const policy = { layers: [{ name: 'own', rules: [...programs, ...hosts] }], defaults: { net: byDefault } };
  writeFileSync(join(home, 'policy.jsonc'), JSON.stringify(policy), { mode: 0o600 });
}

/** This machine is behind the proxy for no program that is not told so. */
const curl = (url: string) => shell(`curl -sS --noproxy "" ${url}`);
const python = (...urls: string[]) =>
  shell(`python3 -c "
import urllib.request, os
os.environ['no_proxy'] = ''
for url in '${urls.join(' ')}'.split():
  try: print(urllib.request.urlopen(url).read().decode())
  except Exception as error: print(error)"`);

const lastMessage = (scenario: Scenario) => scenario.messages(-1).at(-1)?.content;

const pick = (events: readonly { readonly type: string }[], ...types: string[]) =>
  events.filter(({ type }) => types.includes(type));

const probe = await open();
const isEnclosed = (await probe.engine.inspectSandbox()).sandbox.selected === 'bwrap';
await probe[Symbol.asyncDispose]();

describe.skipIf(!isEnclosed)('a command in a run', () => {
  it('reaches a host that a rule allows, and the journal says what went there', async () => {
    await using page = await startWebServer((_, response) => response.end('hello'));
    const here = `127.0.0.1:${page.port}`;
    await using scenario = await open(curl(`http://${here}/a`));
    writePolicy(scenario, { allow: [here] });
    const { events } = await scenario.run();
    expect([
      page.requests,
      lastMessage(scenario),
      pick(events, 'call-start', 'sandbox-net', 'call-finish'),
    ]).toMatchObject([
      [`GET /a ${here}`],
      expect.stringContaining('hello'),
      [
        { type: 'call-start', class: 'indeterminate' },
        { type: 'sandbox-net', call: 0, target: here, address: here, allowed: true, sentBytes: expect.any(Number) },
        { type: 'call-finish', status: 'ok' },
      ],
    ]);
  });

  it('is told which hosts it did not get to, and why', async () => {
    await using page = await startWebServer((_, response) => response.end('hello'));
    const here = `127.0.0.1:${page.port}`;
    const other = `127.0.0.2:${page.port}`;
    await using scenario = await open(python(`http://${here}/`, `http://${other}/`));
    writePolicy(scenario, { allow: [here] });
    const { events } = await scenario.run({}, { approve: 'all' });
    const because = `net of "${other}" is denied by default`;
    expect([page.requests.length, pick(events, 'sandbox-net')]).toMatchObject([
      1,
      [
        { target: here, allowed: true },
        { target: other, allowed: false, address: null, because: expect.stringContaining(because) },
      ],
    ]);
    expect(lastMessage(scenario)).toContain(`It did not get to these hosts:\n- ${other}: ${because}`);
  });

  it('reaches what a person said yes to in its line, and nothing else that is asked about', async () => {
    await using page = await startWebServer((_, response) => response.end('hello'));
    await using other = await startWebServer((_, response) => response.end('hello'));
    const line = `curl -sS --noproxy "" http://127.0.0.1:${page.port}/; python3 -c "
import urllib.request, os
os.environ['no_proxy'] = ''
urllib.request.urlopen('http://127.0.0.1:${other.port}/')"`;
    await using scenario = await open(shell(line));
    writePolicy(scenario, { byDefault: 'ask' });
    const first = await scenario.run();
    const [asked] = await scenario.engine.listApprovals();
    expect([first.result.outcome.kind, page.requests]).toEqual(['awaitingApproval', []]);
    await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    const { events } = await scenario.resume(first.result.runId);
    expect([page.requests.length, other.requests, pick(events, 'call-start', 'sandbox-net')]).toMatchObject([
      1,
      [],
      [
        { type: 'call-start', class: 'indeterminate', approval: asked?.request },
        { target: `127.0.0.1:${page.port}`, allowed: true },
        { target: `127.0.0.1:${other.port}`, allowed: false, because: expect.stringMatching(/and nobody was asked$/) },
      ],
    ]);
  });

  it.each<[what: string, wishes: Wishes]>([
    ['nothing is open', {}],
    ['everything asks', { byDefault: 'ask' }],
    ['everything is open, of which nobody has named a host', { byDefault: 'allow' }],
  ])('has no network where %s and its line names no host', async (_what, wishes) => {
    await using page = await startWebServer((_, response) => response.end('hello'));
    await using scenario = await open(python(`http://127.0.0.1:${page.port}/`));
    writePolicy(scenario, wishes);
    const { events } = await scenario.run({}, { approve: 'all' });
    expect([page.requests, pick(events, 'call-start', 'sandbox-net')]).toMatchObject([
      [],
      [{ type: 'call-start', class: 'repeat' }],
    ]);
    expect(lastMessage(scenario)).toContain('Connection refused');
  });

  it('does not carry a secret of ours in the name of a host into the journal', async () => {
    const secret = 'sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0';
    await using scenario = await open(python(`http://api-key.${secret}.example/`));
    writePolicy(scenario, { allow: ['docs.example'] });
    const { events } = await scenario.run({}, { approve: 'all' });
    expect([pick(events, 'sandbox-net'), JSON.stringify(pick(events, 'sandbox-net')).includes(secret)]).toMatchObject([
      [{ allowed: false }],
      false,
    ]);
  });
});
