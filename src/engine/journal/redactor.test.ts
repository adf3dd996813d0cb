import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.ts';

const known = 'Zq8-private+value/42';
const redactor = createRedactor({ knownSecrets: [known, 'short'] });
const redact = (text: string): string => redactor.redact(text).text;

// Assembled here so that scanners do not take this file for a leak.
const openAi = `sk-${'proj-'}${'aB3dE5gH'.repeat(6)}`;
const gitHub = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N'].join('.');
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${`${'MIIEowIBAAKCAQEA7v3b'.repeat(3)}\n`.repeat(4)}-----END RSA PRIVATE KEY-----`;

describe('what is masked', () => {
  it.each([
    ['an OpenAI key', `key ${openAi} end`, 'key [redacted] end'],
    ['an Anthropic key', `sk-ant-${'api03-aB3dE5gHxy'}`, '[redacted]'],
    ['an OpenRouter key', `sk-or-v1-${'0123456789abcdef'.repeat(4)}`, '[redacted]'],
    ['a GitHub token', `https://${gitHub}@github.com`, 'https://[redacted]@github.com'],
    ['a fine-grained GitHub token', `github_pat_${'11ABCDEFG0123456789_abc'}`, '[redacted]'],
    ['a key that follows punctuation', `...${gitHub}`, '...[redacted]'],
    ['a GitLab token', `glpat-${'xYz123AbC456dEf789Gh'}`, '[redacted]'],
    ['a Slack token', `xoxb-${'123456789012-abcdefABCDEF'}`, '[redacted]'],
    ['an AWS key id', `id=AKIA${'IOSFODNN7EXAMPLE'}.`, 'id=[redacted].'],
    [
      'an AWS secret',
      `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`,
      'aws_secret_access_key = [redacted]',
    ],
    ['a Google key', `AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`, '[redacted]'],
    ['a Stripe key', `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`, '[redacted]'],
    ['an npm token', `npm_${'a1B2c3'.repeat(6)}`, '[redacted]'],
    [
      'an npm configuration line',
      '//registry.example/:_authToken=0123456789abcdef',
      '//registry.example/:_authToken=[redacted]',
    ],
    ['a JSON web token', `t=${jwt};`, 't=[redacted];'],
    ['a private key', `a\n${pem}\nb`, 'a\n-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nb'],
    ['a private key that was cut off', pem.slice(0, 120), '-----BEGIN RSA PRIVATE KEY-----[redacted]'],
    [
      'a private key in a JSON string',
      JSON.stringify({ k: pem }),
      '{"k":"-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----"}',
    ],
    ['a password in an address', 'postgres://app:hunter2@db.example/x', 'postgres://app:[redacted]@db.example/x'],
    ['an Authorization header', 'Authorization: Bearer abcDEF123456', 'Authorization: Bearer [redacted]'],
    ['basic credentials', 'authorization: Basic dXNlcjpodW50ZXIy', 'authorization: Basic [redacted]'],
    [
      'a bearer token in a command',
      `curl -H "Authorization: Bearer ${'0123456789abcdef'}" x`,
      'curl -H "Authorization: Bearer [redacted]" x',
    ],
    ['a Cookie header', 'Cookie: session=s3cr3tvalue; theme=dark', 'Cookie: session=[redacted]'],
    ['a Set-Cookie header', 'Set-Cookie: sid=abcdef; HttpOnly\r\nX: 1', 'Set-Cookie: sid=[redacted]\r\nX: 1'],
    ['an X- key header', 'X-Internal-Api-Key: 9f8e7d6c5b4a', 'X-Internal-Api-Key: [redacted]'],
    ['an X- token header', 'x-mycorp-token: abc12345', 'x-mycorp-token: [redacted]'],
    [
      'an unknown vendor in an environment file (NousResearch/hermes-agent#72925)',
      'TVLY_KEY=tvlyabcdef123456',
      'TVLY_KEY=[redacted]',
    ],
    [
      'an internal token name (NousResearch/hermes-agent#72925)',
      'MYCORP_DEPLOY_TOKEN_V2=abcdefgh',
      'MYCORP_DEPLOY_TOKEN_V2=[redacted]',
    ],
    [
      'an environment file (anthropics/claude-code#38417)',
      'A=1\nDB_PASSWORD=hunter\nexport API_KEY="abcd-efgh-ijkl-mnop"\n',
      'A=1\nDB_PASSWORD=[redacted]\nexport API_KEY="[redacted]"\n',
    ],
    ['a listing of an environment file', '     3\tSECRET=abcdefgh', '     3\tSECRET=[redacted]'],
    ['a passphrase with blanks', 'PASSWORD="correct horse battery"', 'PASSWORD="[redacted]"'],
    ['a JSON value', '{"api_key": "a1b2c3d4e5", "n": 1}', '{"api_key": "[redacted]", "n": 1}'],
    ['a JSON value inside a string', '"{\\"apiKey\\":\\"a1b2c3d4e5\\"}"', '"{\\"apiKey\\":\\"[redacted]\\"}"'],
    ['a camel-case name in code', "const clientSecret = 'a1b2c3d4e5f6';", "const clientSecret = '[redacted]';"],
    ['a YAML value', 'password: hunter2\nuser: me', 'password: [redacted]\nuser: me'],
    ['a query string', 'GET /x?access_token=abc123-def456-ghi&page=2', 'GET /x?access_token=[redacted]&page=2'],
    [
      'an element of a mapping',
      'os.environ["SERVICE_TOKEN"] = "a1b2c3d4"',
      'os.environ["SERVICE_TOKEN"] = "[redacted]"',
    ],
    ['an array with arrows', "'password' => 'hunter22',", "'password' => '[redacted]',"],
    ['a known value', `x${known}y`, 'x[redacted]y'],
    ['a known value in an address', encodeURIComponent(known), '[redacted]'],
  ])('%s', (_title, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each(['', 'u', 'us', 'user:'])('a known value in base64 behind "%s"', (before) => {
    const encoded = Buffer.from(`${before}${known}~~`).toString('base64');
    const masked = redact(encoded);
    expect(masked).toContain('[redacted]');
    expect(Buffer.from(masked.replace('[redacted]', ''), 'base64').toString('latin1')).not.toContain(
      known.slice(2, -2),
    );
  });
});

describe('a secret inside JSON, as in the arguments of a call', () => {
  it.each([
    ['A=1\nDB_PASSWORD=hunter\nB=2', 'hunter'],
    ['{"password": "a1b2c3d4e5"}', 'a1b2c3d4e5'],
    [`first line\n${gitHub}\n`, gitHub],
    ['GET / HTTP/1.1\r\nAuthorization: Bearer abcDEF123456\r\nAccept: */*', 'abcDEF123456'],
    ['Host: x\nCookie: session=s3cr3tvalue\nAccept: */*', 's3cr3tvalue'],
    ['\tpostgres://app:hunter2@db.example/x\n', 'hunter2'],
    [pem, 'MIIEowIBAAKCAQEA7v3b'],
  ])('%j is masked once and twice quoted, and stays JSON', (text, secret) => {
    const once = redact(JSON.stringify({ content: text }));
    const twice = redact(JSON.stringify({ arguments: JSON.stringify({ content: text }) }));
    expect([once.includes(secret), twice.includes(secret)]).toEqual([false, false]);
    const { content } = JSON.parse(JSON.parse(twice).arguments);
    expect([JSON.parse(once).content, content]).toEqual([redact(text), redact(text)]);
  });
});

describe('a known secret', () => {
  it.each([
    ['as it is', known, true],
    ['within other text', `a${known}b`, true],
    ['in base 64', Buffer.from(`user:${known}`).toString('base64'), true],
    ['in an address', encodeURIComponent(known), true],
    ['in part', known.slice(0, -1), false],
    ['when it is another one, only of a known shape', `ghp_${'a1'.repeat(18)}`, false],
  ])('is told from what is not one: %s', (_title, text, held) => {
    expect(redactor.holdsKnown(text)).toBe(held);
  });
});

describe('what is left alone', () => {
  it.each([
    'const token = parse(x);',
    'const token = tokens[0];',
    'let token = nextToken2;',
    'token = self.token2',
    'interface Login { user: string; password: string; token?: Token }',
    'interface Login {\n  password: string\n  secret: Uint8Array\n}',
    'password: z.string().min(8),',
    'def login(user, password=None, token=default_token2):',
    'login(password=password1, token=token)',
    'export const passwordLabel = "Password";',
    '"password": "must be at least 8 characters"',
    '{ "type": "password", "placeholder": "password" }',
    '<input type="password" name="password" autocomplete="current-password">',
    '{ token: "keyword.operator.assignment", foreground: "aa0000" }',
    `headers: { Authorization: \`Bearer $\{token}\` }`,
    "headers: { Authorization: 'Bearer ' + token }",
    'curl -H "Authorization: Bearer $API_TOKEN"',
    'The Authorization: header carries a bearer token.',
    'API_KEY=$OTHER_KEY',
    `API_KEY=$\{{ secrets.API_KEY }}`,
    'API_KEY=<your key>',
    'API_KEY=your-key-here',
    'API_KEY=',
    'TOKEN=$(cat token.txt)',
    'PUBLIC_KEY=abcdef0123456789abcdef',
    'SSH_KEY=~/.ssh/id_ed25519',
    'const STORAGE_KEY = "app.settings.v2";',
    'PRIMARY_KEY=customer_id_1',
    'MAX_TOKENS=4096',
    'maxTokens: 4096, tokenCount: 12345678',
    'nextPageToken: "CAUQAA12345678"',
    'key: value1234567890',
    'map.set(key, "0123456789abcdef");',
    'if (key === "a1b2c3d4e5f6a7b8") {}',
    'const primaryKey = "id12345678";',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'id: 550e8400-e29b-41d4-a716-446655440000',
    'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    '.sk-folding-cube-animation-container { color: red }',
    'task-1234567890abcdefghij1234',
    'http://localhost:8080/path@2',
    'https://user@example.com:443/x',
    'git@github.com:owner/name.git',
    "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return parseKey(text);",
    'Files begin with -----BEGIN PRIVATE KEY----- and are followed by many lines of text.',
    'import { createSecretKey } from "node:crypto";',
    'password_reset_url: /accounts/password/reset1',
    'secret: process.env.SESSION_SECRET1,',
    'for (const token of tokens) count += token.length1;',
    'short',
    'this.proxyAuth = this.#x509Authentication;',
    "const X509_SUBJECT_TOKEN = 'urn:ietf:params:oauth:token-type:x509';",
    "headers: { 'X-Api-Key': config.apiKey2, 'X-Token': token2 }",
    'const f = (token) => "a1b2c3d4e5f6";',
  ])('%s', (text) => {
    expect(redactor.redact(text)).toEqual({ text, found: 0 });
  });
});

describe('properties', () => {
  const pieces = fc.constantFrom(
    openAi,
    gitHub,
    jwt,
    pem,
    known,
    'PASSWORD=hunter22',
    '"token": "a1b2c3d4e5f6"',
    '=',
    ':',
    '"',
    '\n',
    '://a:b@',
    'Cookie: a=',
    '[redacted]',
  );
  const text = fc.array(fc.oneof(pieces, fc.string()), { maxLength: 20 }).map((parts) => parts.join(''));

  it('masking twice is masking once', () => {
    fc.assert(
      fc.property(text, (input) => {
        const once = redact(input);
        expect(redactor.redact(once)).toEqual({ text: once, found: 0 });
      }),
    );
  });

  it('a known value never comes through, whatever stands around it', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(redact(before + known + after)).not.toContain(known);
      }),
    );
  });

  it('bytes without a secret come back as they are, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(redactor.redactBytes(bytes)).toEqual({ bytes, found: 0 });
      }),
    );
  });
});

describe('files', () => {
  it('masks in UTF-8 and keeps every other byte', () => {
    const bytes = Buffer.from('name=Zoë\nDB_PASSWORD=hunter22\n', 'utf8');
    expect(redactor.redactBytes(bytes)).toEqual({ bytes: Buffer.from('name=Zoë\nDB_PASSWORD=[redacted]\n'), found: 1 });
  });

  it('masks in Latin-1 and keeps every other byte', () => {
    const bytes = Buffer.from('name=Zoë\nDB_PASSWORD=hunter22\n', 'latin1');
    const expected = Buffer.from('name=Zoë\nDB_PASSWORD=[redacted]\n', 'latin1');
    expect(redactor.redactBytes(bytes)).toEqual({ bytes: expected, found: 1 });
  });

  it('finds a known value that is not ASCII in the bytes of a file', () => {
    const own = createRedactor({ knownSecrets: ['pässwörtchen'] });
    expect(own.redactBytes(Buffer.from('a pässwörtchen b'))).toEqual({
      bytes: Buffer.from('a [redacted] b'),
      found: 1,
    });
  });
});

describe('a megabyte of hostile text costs about as much as any other', () => {
  it.each(
    [
      'a',
      '=',
      ':',
      'a=',
      'key=',
      '_key=',
      'token:',
      'token:"',
      "password='a",
      'sk-',
      'sk-a',
      'eyJ',
      'eyJ-',
      'eyJaaaaaaaa.',
      '://a:',
      'x-',
      'X-a-key: ',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\nAAAAAAAA\n',
      'authorization: ',
      'authorization ',
      'cookie: a=',
      'bearer ',
      '"',
      '\\"',
      ' ',
      '\n',
      'A'.repeat(80),
      'a1b2_token=',
      'glpat-a.',
      'AKIA',
      'SG.aaaaaaaaaaaaaaaaaaaa.',
    ].map((unit) => [unit]),
  )('%j', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    redactor.redact(text.slice(0, 10_000));
    const cpu = process.cpuUsage();
    redactor.redact(text);
    const { user, system } = process.cpuUsage(cpu);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
