import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlobHash, createRunId } from '../../shared/id.ts';
import { openCredential } from './credential.ts';
import type { DecisionStatement } from './decision-statement.ts';

let home = '';
let file = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'credential-'));
  file = join(home, 'decision-key');
});
afterEach(() => rmSync(home, { recursive: true }));

const text = fc.string({ unit: 'binary', maxLength: 12 });
const hash = fc.stringMatching(/^[0-9a-f]{64}$/).map((digits) => BlobHash.parse(digits));
const statements: fc.Arbitrary<DecisionStatement> = fc.record({
  runId: fc.uint8Array({ minLength: 12, maxLength: 12 }).map((random) => createRunId(0, random)),
  request: text,
  digest: fc.option(text),
  decision: fc.constantFrom('approve', 'deny', 'defer'),
  actor: text,
  reason: fc.option(text),
  rewrite: fc.option(hash),
  remember: fc.option(
    fc.record({
      scope: fc.constantFrom('run', 'project', 'user'),
      rule: fc.record({
        act: fc.constantFrom('read', 'write', 'exec', 'net'),
        effect: fc.constantFrom('allow', 'deny'),
        pattern: text,
      }),
    }),
  ),
});

const statement: DecisionStatement = {
  runId: createRunId(0, new Uint8Array(12)),
  request: 'r',
  digest: null,
  decision: 'approve',
  actor: 'person:ada',
  reason: null,
  rewrite: null,
  remember: null,
};

describe('a proof', () => {
  it('holds for what was signed, also for another process of the same home', () => {
    fc.assert(
      fc.property(statements, (signed) => {
        const proof = openCredential(home).sign(signed);
        expect(openCredential(home).verify(signed, proof)).toBe(true);
      }),
    );
  });

  it('does not hold once any one field says something else', () => {
    const credential = openCredential(home);
    fc.assert(
      fc.property(statements, statements, (signed, other) => {
        const proof = credential.sign(signed);
        const exchanged = Object.keys(signed).map((name) => ({ ...signed, ...pick(other, name) }));
        const held = exchanged.filter((each) => credential.verify(each, proof));
        expect(held.map((each) => JSON.stringify(each))).toEqual(
          exchanged.map((each) => JSON.stringify(each)).filter((each) => each === JSON.stringify(signed)),
        );
      }),
    );
  });

  it('does not depend on the order in which a rule was written', () => {
    const credential = openCredential(home);
    const [act, effect, pattern] = ['exec', 'allow', 'npm test'] as const;
    const proof = credential.sign({ ...statement, remember: { scope: 'run', rule: { act, effect, pattern } } });
    const turned: DecisionStatement = { ...statement, remember: { rule: { pattern, effect, act }, scope: 'run' } };
    expect(credential.verify(turned, proof)).toBe(true);
  });

  it('of another home does not hold', () => {
    const other = mkdtempSync(join(tmpdir(), 'credential-'));
    try {
      expect(openCredential(home).verify(statement, openCredential(other).sign(statement))).toBe(false);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it('that is mangled does not hold', () => {
    const credential = openCredential(home);
    const proof = credential.sign(statement);
    const mangled = ['', proof.slice(2), `${proof}00`, `${proof}zz`, `zz${proof.slice(2)}`, `${proof.slice(0, -1)}é`];
    expect(mangled.filter((each) => credential.verify(statement, each))).toEqual([]);
  });
});

describe('the key', () => {
  it('is made on first use, for its owner alone, with nothing left beside it', () => {
    rmSync(home, { recursive: true });
    openCredential(home);
    const { size, mode } = lstatSync(file);
    expect({ size, mode: mode & 0o777, names: readdirSync(home) }).toEqual({
      size: 32,
      mode: 0o600,
      names: ['decision-key'],
    });
  });

  it('is made whole although an earlier maker was killed half way', () => {
    writeFileSync(`${file}.half.new`, 'half');
    openCredential(home);
    expect(lstatSync(file).size).toBe(32);
  });

  it('is one and the same for processes that make it at once', async () => {
    const script = `import { openCredential } from ${JSON.stringify(join(import.meta.dirname, 'credential.ts'))};
      console.log(openCredential(${JSON.stringify(home)}).sign(${JSON.stringify(statement)}));`;
    const proofs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let output = '';
        child.stdout.on('data', (chunk) => {
          output += chunk;
        });
        await once(child, 'close');
        return output.trim();
      }),
    );
    expect(proofs).toEqual(proofs.map(() => openCredential(home).sign(statement)));
  }, 60_000);

  const faults: [what: string, make: () => void, message: RegExp][] = [
    ['that its group can read', () => write(32, 0o640), /can be reached by others/],
    ['that everyone can read', () => write(32, 0o604), /can be reached by others/],
    ['that everyone can write', () => write(32, 0o602), /can be reached by others/],
    ['that is too short', () => write(31, 0o600), /has 31 bytes/],
    ['that is empty', () => write(0, 0o600), /has 0 bytes/],
    ['that is too long', () => write(33, 0o600), /has 33 bytes/],
    ['that is a directory', () => mkdirSync(file, { mode: 0o700 }), /is not a regular file/],
    ['that is a pipe nobody writes to', () => spawnSync('mkfifo', ['-m', '600', file]), /is not a regular file/],
    ['that is a link to a good one', () => linkToGoodKey(), /cannot be read/],
    ['that is a link to nothing', () => symlinkSync(join(home, 'nowhere'), file), /cannot be read/],
  ];
  it.each(faults)('%s is refused and left as it is', (_what, make, message) => {
    make();
    const before = lstatSync(file);
    expect(() => openCredential(home)).toThrow(
      expect.objectContaining({ code: 'decision-refused', message: expect.stringMatching(message) }),
    );
    expect({ ino: lstatSync(file).ino, mode: lstatSync(file).mode }).toEqual({ ino: before.ino, mode: before.mode });
  });

  it.runIf(process.getuid?.() === 0)('that belongs to somebody else is refused (needs root)', () => {
    write(32, 0o600);
    chownSync(file, 65534, 65534);
    expect(() => openCredential(home)).toThrow(expect.objectContaining({ code: 'decision-refused' }));
  });

  it.runIf(process.getuid?.() === 0)('that this user may not read is refused (needs root, to become another)', () => {
    write(32, 0o600);
    chmodSync(home, 0o755);
    const source = join(import.meta.dirname, 'credential.ts');
    const script = `process.setgid(65534); process.setuid(65534);
      try { openCredential(${JSON.stringify(home)}); } catch (error) { console.log(error.code, error.message); }`;
    const { stdout } = spawnSync(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openCredential } from ${JSON.stringify(source)}; ${script}`,
    ]);
    expect(stdout.toString()).toBe(`decision-refused Nobody can decide from here: the key ${file} cannot be read.\n`);
  });
});

function pick(from: DecisionStatement, name: string): Partial<DecisionStatement> {
  return Object.fromEntries(Object.entries(from).filter(([each]) => each === name));
}

function write(bytes: number, mode: number): void {
  writeFileSync(file, Buffer.alloc(bytes, 7));
  chmodSync(file, mode);
}

function linkToGoodKey(): void {
  openCredential(home);
  const elsewhere = join(home, 'elsewhere');
  writeFileSync(elsewhere, readFileSync(file), { mode: 0o600 });
  rmSync(file);
  symlinkSync(elsewhere, file);
}
