import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { noHistory, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { startWebServer } from '../../../test/support/web-server.ts';
import { composePolicy } from '../policy/compose-policy.ts';
import { fetchUrl } from './fetch-url.ts';

const rules = [{ act: 'net', effect: 'allow', pattern: '127.0.0.1' }] as const;
const policy = composePolicy([
  { origin: 'user', file: null, policy: { layers: [{ name: 'own', rules: [...rules] }] } },
]);

const answer =
  (content: string | Uint8Array, contentType = 'text/plain', status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': contentType }).end(content);

async function fetchFrom(listener: RequestListener) {
  await using server = await startWebServer(listener);
  await using workspace = await openGuardedWorkspace(policy);
  const url = `http://127.0.0.1:${server.port}/`;
  const { status, text } = await workspace.call('fetch_url', { url });
  return { status, text: text.replaceAll(String(server.port), 'PORT') };
}

const head = 'Status 200 from http://127.0.0.1:PORT/';

describe('fetch_url', () => {
  it.each<[string, RequestListener, string]>([
    ['text', answer('one\ntwo\n'), `${head}\ntext/plain, 8 bytes\n\none\ntwo\n`],
    ['HTML as it is', answer('<b>é</b>', 'text/html'), `${head}\ntext/html, 9 bytes\n\n<b>é</b>`],
    [
      'text in the encoding that is named',
      answer(Buffer.from('caf\xe9', 'latin1'), 'text/plain; charset="ISO-8859-1"'),
      `${head}\ntext/plain; charset="ISO-8859-1", 4 bytes\n\ncafé`,
    ],
    [
      'wide text',
      answer(Buffer.from('wide', 'utf16le'), 'text/plain; charset=utf-16le'),
      `${head}\ntext/plain; charset=utf-16le, 8 bytes\n\nwide`,
    ],
    [
      'text in an encoding that nobody knows',
      answer('é', 'text/plain; charset=unheard-of'),
      `${head}\ntext/plain; charset=unheard-of, 2 bytes\n\né`,
    ],
    [
      'of an image its type and size, whatever encoding it is said to be in',
      answer(Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png; charset=utf-8'),
      `${head}\nimage/png; charset=utf-8, 10 bytes\nNo text: PNG image.`,
    ],
    ['no more than there is', (_, response) => response.end(), `${head}\nof no named type, 0 bytes\n\n`],
    ['no codes of a terminal', answer('\x1b[31mred\x1b[0m\x07\r\nx'), `${head}\ntext/plain, 16 bytes\n\nred\nx`],
  ])('shows %s', async (_title, listener, text) => {
    expect(await fetchFrom(listener)).toEqual({ status: 'ok', text });
  });

  it('shows head and tail of a long page, with what lies between counted', async () => {
    const { text } = await fetchFrom(answer(`first\n${'é'.repeat(200_000)}\nlast`));
    expect([text.length < 300_000, text.includes('\n\nfirst\n'), text.endsWith('\nlast')]).toEqual([true, true, true]);
    expect(text).toMatch(/\n\[\d+ bytes left out\]\n/);
  });

  it('says of what is cut how much is missing, and tears no character', async () => {
    const { text } = await fetchFrom(answer(`.${'é'.repeat(600_000)}`));
    expect(text).toMatch(/text\/plain, 1048576 bytes, at least 151425 more left out\n\n\.é+/);
    expect(text).toMatch(/é$/);
  });

  it('shows an error of the server with its words, as a failure', async () => {
    expect(await fetchFrom(answer('no such page', 'text/plain', 404))).toEqual({
      status: 'failed',
      text: 'Status 404 from http://127.0.0.1:PORT/\ntext/plain, 12 bytes\n\nno such page',
    });
  });

  it('shows where it was sent on from', async () => {
    const { status, text } = await fetchFrom(({ url }, response) =>
      url === '/end' ? response.end('x') : response.writeHead(301, { location: '/end' }).end(),
    );
    expect([status, text]).toEqual([
      'ok',
      'Status 200 from http://127.0.0.1:PORT/end\nSent on from http://127.0.0.1:PORT/\nof no named type, 1 byte\n\nx',
    ]);
  });

  it('says why there is no page', async () => {
    const away = await fetchFrom((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    const cut = await fetchFrom(({ socket }) => socket.resetAndDestroy());
    expect([away, cut]).toEqual([
      {
        status: 'failed',
        text: expect.stringMatching(/^Nothing was fetched of http:\/\/127.*: it leads on to .* is denied by default/),
      },
      {
        status: 'failed',
        text: 'http://127.0.0.1:PORT/ could not be fetched: the connection was cut off (ECONNRESET).',
      },
    ]);
  });

  it('counts whatever a server had a hand in as the words of a stranger', async () => {
    await using server = await startWebServer(({ url }, response) =>
      url === '/page' ? response.end('x') : response.writeHead(302, { location: 'http://evil.example/obey' }).end(),
    );
    await using workspace = await openGuardedWorkspace(policy);
    const originOf = async (url: string) => {
      const plan = await fetchUrl.prepare(
        { url },
        {
          files: workspace.files,
          commands: workspace.guard.commands(workspace.stance),
          fetches: workspace.guard.fetches(workspace.stance, 'allow'),
          processes: workspace.processes,
          permitted: 'allow',
          unasked: 'allow',
          history: noHistory,
          signal: new AbortController().signal,
        },
      );
      return plan.kind === 'request' && (await plan.run()).origin;
    };
    const base = `http://127.0.0.1:${server.port}`;
    expect([
      await originOf(`${base}/page`),
      await originOf(`${base}/away`),
      await originOf('http://other.example/'),
    ]).toEqual(['web', 'web', 'engine']);
  });

  it.each(['a.example', 'file:///etc/passwd', 'http://me:word@a.example/', `http://a.example/${'x'.repeat(4096)}`])(
    'refuses as an address %s',
    async (url) => {
      await using workspace = await openGuardedWorkspace(policy);
      expect(await workspace.call('fetch_url', { url })).toMatchObject({ status: 'unusable' });
    },
  );

  it('is denied by the host that it names', async () => {
    await using workspace = await openGuardedWorkspace(policy);
    expect(await workspace.call('fetch_url', { url: 'https://A.Example/b' })).toEqual({
      status: 'denied',
      text: 'net of "a.example:443" is denied by default',
    });
  });
});
