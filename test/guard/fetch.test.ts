// Dialling out, with real servers of this machine behind names of the test's own: what may be reached is decided for every
// hop and for every address, and a yes takes nobody further than to the host it was given for.
import type { LookupAddress } from 'node:dns';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { FetchEnd, FetchHop } from '../../src/engine/guard/guard.ts';
import { createPageFetcher } from '../../src/engine/net/fetch-page.ts';
import { composePolicy } from '../../src/engine/policy/compose-policy.ts';
import type { Effect } from '../../src/shared/act.ts';
import { openGuardedWorkspace } from '../support/guarded-workspace.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

interface Setting {
  /** Patterns of the person, by what they do; PORT is the server's. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly byDefault?: Effect;
  /** What names come to; every other one is unknown. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly permitted?: 'allow' | 'ask';
}

interface Fetched {
  readonly end: FetchEnd;
  /** Names that were resolved, in their order. */
  readonly resolved: readonly string[];
  readonly hops: readonly FetchHop[];
}

async function get(server: Pick<WebServer, 'port'>, url: string, setting: Setting): Promise<Fetched> {
  const { names = {}, permitted = 'allow', byDefault = 'deny' } = setting;
  const at = (text: string) => text.replaceAll('PORT', String(server.port));
  const toRules = (effect: Effect) =>
    (setting[effect] ?? []).map((pattern) => ({ act: 'net', effect, pattern: at(pattern) }) as const);
  const rules = (['allow', 'ask', 'deny'] as const).flatMap(toRules);
  const policy = composePolicy([
    { origin: 'user', file: null, policy: { layers: [{ name: 'own', rules }], defaults: { net: byDefault } } },
  ]);
  const resolved: string[] = [];
  const resolve = async (name: string): Promise<LookupAddress[]> => {
    resolved.push(name);
    const addresses = names[name] ?? [];
    if (addresses.length === 0) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  const fetchPage = createPageFetcher({ environment: {}, resolve, limits: { wallMs: 5000 } });
  await using workspace = await openGuardedWorkspace(policy, { fetchPage });
  const hops: FetchHop[] = [];
  const fetches = workspace.guard.fetches(workspace.stance, permitted, (hop) => hops.push(hop));
  const end = await fetches.get(at(url), new AbortController().signal);
  return { end, resolved, hops };
}

const hello: RequestListener = (_, response) => response.end('hello');

const to =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end();

const page = (url: string, hops: readonly string[] = []) =>
  expect.objectContaining({ kind: 'fetched', status: 200, url, hops });

const refused = (because: RegExp, hops: readonly string[] = []) => ({
  kind: 'refused',
  because: expect.stringMatching(because),
  hops,
});

const own = { 'a.example': ['127.0.0.1'], 'b.example': ['127.0.0.1'] };
/** What has the test's names lead to its own server. */
const here = '127.0.0.1:PORT';

describe('fetching', () => {
  it('goes where a rule allows the host, and resolves its name once', async () => {
    await using server = await startWebServer(hello);
    const fetched = await get(server, 'http://A.Example.:PORT/x?y#z', { allow: ['a.example', here], names: own });
    const hop = {
      target: `a.example:${server.port}`,
      address: `127.0.0.1:${server.port}`,
      allowed: true,
      because: null,
    };
    expect([fetched, server.requests]).toEqual([
      { end: page(`http://a.example:${server.port}/x?y`), resolved: ['a.example'], hops: [hop] },
      [`GET /x?y a.example:${server.port}`],
    ]);
  });

  it.each<[string, string, Setting, RegExp]>([
    ['by default', 'http://a.example:PORT/', { names: own }, /is denied by default/],
    ['by a rule', 'http://a.example:PORT/', { byDefault: 'allow', deny: ['*.example'] }, /the rule "\*\.example"/],
    [
      'by a rule for its address',
      'http://a.example:PORT/',
      { allow: ['*', here], deny: ['127.*'], names: own },
      /127\.\*/,
    ],
    ['that asks, and nobody was asked', 'http://a.example:PORT/', { byDefault: 'ask' }, /and nobody was asked$/],
    ['that is no web', 'file:///etc/passwd', { byDefault: 'allow' }, /no URL of http or https/],
    ['with a name and password', 'http://me:word@a.example:PORT/', { byDefault: 'allow' }, /name and password/],
    ['with a name alone', 'http://me@a.example:PORT/', { byDefault: 'allow' }, /name and password/],
  ])('reaches nobody where it is denied or may not be: %s', async (_title, url, setting, because) => {
    await using server = await startWebServer(hello);
    const { end } = await get(server, url, setting);
    expect([end, server.requests]).toEqual([refused(because), []]);
  });

  it('goes where a person said yes', async () => {
    await using server = await startWebServer(hello);
    const setting = { byDefault: 'ask', allow: [here], names: own, permitted: 'ask' } as const;
    const { end } = await get(server, 'http://a.example:PORT/', setting);
    expect(end).toEqual(page(`http://a.example:${server.port}/`));
  });

  it('finds the host behind letters of other alphabets', async () => {
    await using server = await startWebServer(hello);
    const names = { 'xn--bcher-kva.example': ['127.0.0.1'] };
    const setting = { allow: ['xn--bcher-kva.example', here], names };
    const { end } = await get(server, 'http://bücher.example:PORT/', setting);
    expect(end).toEqual(page(`http://xn--bcher-kva.example:${server.port}/`));
  });
});

describe('an address that is not public', () => {
  it.each(['127.0.0.1', '2130706433', '0177.0.0.1', '0x7f.0.0.1', '127.1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'])(
    'is not reached by a wildcard, however it is written: %s (cline/cline#13494)',
    async (host) => {
      await using server = await startWebServer(hello);
      const { end } = await get(server, `http://${host}:PORT/`, { byDefault: 'allow', allow: ['*'] });
      expect([end, server.requests]).toEqual([refused(/an address of this machine itself, and nobody was asked/), []]);
    },
  );

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])(
    'is reached where a person allows, or says yes to, just that: %s',
    async (host) => {
      await using server = await startWebServer(hello);
      const byRule = await get(server, `http://${host}:PORT/`, { allow: [here] });
      const byYes = await get(server, `http://${host}:PORT/`, { byDefault: 'ask', permitted: 'ask' });
      const url = page(expect.stringContaining(`:${server.port}/`));
      expect([byRule.end, byYes.end]).toEqual([url, url]);
    },
  );

  it.each<[string, readonly string[], RegExp]>([
    ['this machine', ['127.0.0.1'], /this machine itself/],
    ['this machine, by IPv6', ['::1'], /this machine itself/],
    ['this machine, mapped', ['::ffff:127.0.0.1'], /this machine itself/],
    ['a private network', ['10.0.0.1'], /a private network, and nobody was asked/],
    ['the keys of a cloud', ['169.254.169.254'], /what a cloud tells/],
    ['the keys of a cloud, elsewhere', ['168.63.129.16'], /what a cloud tells/],
    ['the keys of a cloud, through NAT64', ['64:ff9b::a9fe:a9fe'], /what a cloud tells/],
    ['a good and a bad one', ['93.184.215.14', '127.0.0.1'], /this machine itself/],
    ['what cannot be read', ['fe80::1%eth0'], /cannot be read|no host/],
  ])('is not reached by a name that anybody may have lead there: %s', async (_title, addresses, because) => {
    await using server = await startWebServer(hello);
    const { end } = await get(server, 'http://a.example:PORT/', {
      byDefault: 'allow',
      allow: ['*'],
      names: { 'a.example': addresses },
    });
    expect([end, server.requests]).toEqual([refused(because), []]);
  });

  it('is not opened by a yes to a name that leads to this machine or to the keys of its cloud', async () => {
    await using server = await startWebServer(hello);
    const setting = { byDefault: 'ask', permitted: 'ask' } as const;
    const fetchTo = (address: string) =>
      get(server, 'http://a.example:PORT/', { ...setting, names: { 'a.example': [address] } });
    expect([(await fetchTo('127.0.0.1')).end, (await fetchTo('169.254.169.254')).end]).toEqual([
      refused(/is denied: it is an address of this machine itself; a rule that allows exactly "127\.0\.0\.1:\d+"/),
      refused(/is denied: it is an address of what a cloud tells/),
    ]);
  });

  it('is opened by the name that every machine has for itself', async () => {
    await using server = await startWebServer(hello);
    const names = { localhost: ['127.0.0.1'] };
    const byWildcard = await get(server, 'http://localhost:PORT/', { allow: ['*'], names });
    const byName = await get(server, 'http://localhost:PORT/', { allow: ['localhost'], names });
    expect([byWildcard.end, byName.end]).toEqual([
      refused(/must be asked for/),
      page(`http://localhost:${server.port}/`),
    ]);
  });
});

describe('a redirect', () => {
  it('is followed as long as every hop is allowed', async () => {
    await using server = await startWebServer(({ url }, response) => {
      if (url === '/end') response.end('hello');
      else response.writeHead(302, { location: url === '/' ? '/second' : `http://b.example:${server.port}/end` }).end();
    });
    const { end, resolved, hops } = await get(server, 'http://a.example:PORT/', { allow: ['*', here], names: own });
    const base = `http://a.example:${server.port}`;
    expect([end, resolved]).toEqual([
      page(`http://b.example:${server.port}/end`, [`${base}/`, `${base}/second`]),
      ['a.example', 'a.example', 'b.example'],
    ]);
    expect(hops.map(({ target }) => target.split(':')[0])).toEqual(['a.example', 'a.example', 'b.example']);
  });

  it.each<[string, string, Setting, RegExp]>([
    [
      'a host that is denied',
      'http://b.example:PORT/',
      { allow: ['a.example', here] },
      /b\.example.* is denied by default/,
    ],
    ['this machine', `http://${here}/`, { allow: ['*'] }, /this machine itself/],
    ['this machine, mapped', 'http://[::ffff:127.0.0.1]:PORT/', { allow: ['*'] }, /this machine itself/],
    ['this machine, as a number', 'http://2130706433:PORT/', { allow: ['*'] }, /this machine itself/],
    ['the keys of a cloud', 'http://169.254.169.254/latest', { allow: ['*'] }, /what a cloud tells/],
    ['a name that leads to them', 'http://c.example/', { allow: ['*'] }, /what a cloud tells/],
    ['a file', 'file:///etc/passwd', { allow: ['*'] }, /it leads on to something else/],
    ['a name and password', 'http://me:word@b.example:PORT/', { allow: ['*'] }, /it leads on to something else/],
  ])('is not followed to %s (cline/cline#13494)', async (_title, location, setting, because) => {
    await using server = await startWebServer(hello);
    await using first = await startWebServer((request, response) =>
      to(location.replace('PORT', String(server.port)))(request, response),
    );
    const opened = { ...setting, allow: [...(setting.allow ?? []), `127.0.0.1:${first.port}`] };
    const names = { ...own, 'c.example': ['169.254.169.254'] };
    const start = `http://a.example:${first.port}/`;
    const { end, hops } = await get(server, start, { ...opened, names });
    expect([end, first.requests.length, server.requests]).toEqual([refused(because, [start]), 1, []]);
    // What is no URL of the web has no host that could be told of.
    const refusal = { address: null, allowed: false, because: expect.stringMatching(because) };
    expect(hops.slice(1)).toEqual(/something else/.test(because.source) ? [] : [expect.objectContaining(refusal)]);
  });

  it('takes a yes to no other host and to no other port, and says how to ask', async () => {
    await using server = await startWebServer(({ url }, response) => {
      if (url === '/same') response.writeHead(302, { location: '/end' }).end();
      else if (url === '/end') response.end('hello');
      else response.writeHead(302, { location: `http://${url?.slice(1)}/` }).end();
    });
    const setting = { byDefault: 'ask', allow: [here], names: own, permitted: 'ask' } as const;
    const fetchOn = async (path: string) => (await get(server, `http://a.example:PORT/${path}`, setting)).end;
    const base = `http://a.example:${server.port}`;
    expect([await fetchOn('same'), await fetchOn('b.example'), await fetchOn('a.example:81')]).toEqual([
      page(`${base}/end`, [`${base}/same`]),
      refused(
        /^it leads on to http:\/\/b\.example\/, and net of "b\.example:80" must be asked for by default: call again/,
        [`${base}/b.example`],
      ),
      refused(/"a\.example:81" must be asked for by default: call again with that URL/, [`${base}/a.example:81`]),
    ]);
  });

  it('comes to an end', async () => {
    await using server = await startWebServer(to('/again'));
    const { end } = await get(server, 'http://a.example:PORT/', { allow: ['a.example', here], names: own });
    expect([end, server.requests.length]).toEqual([
      expect.objectContaining({ kind: 'failed', reason: 'it leads on more than 5 times' }),
      6,
    ]);
  });

  it('is a page of its own where it leads nowhere', async () => {
    await using server = await startWebServer((_, response) => response.writeHead(302).end('lost'));
    const { end } = await get(server, 'http://a.example:PORT/', { allow: ['a.example', here], names: own });
    expect(end).toMatchObject({ kind: 'fetched', status: 302 });
  });
});
