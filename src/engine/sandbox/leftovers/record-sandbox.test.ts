import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readProcessIdentity } from '../../process/process-identity.ts';
import { openPrivateBase } from '../ownership/private-base.ts';
import { readRecord, recordSandbox } from './record-sandbox.ts';

let temporary = '';
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'record-sandbox-'));
  // Root's base has to be within everybody's reach.
  chmodSync(temporary, 0o711);
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

it('a record that was cut off in the middle of a line says all before it', () => {
  using record = recordSandbox({ isolation: 'bwrap', uid: null, mark: 'a-mark' });
  record.addProcess(process.pid);
  const [path = ''] = readdirSync(openPrivateBase()).map((name) => join(openPrivateBase(), name));
  const whole = readFileSync(path);
  const processesAfter = (bytes: number): number | undefined => {
    truncateSync(path, bytes);
    return readRecord(path)?.processes.length;
  };
  expect([whole.length, whole.length - 2, whole.indexOf('\n') + 1, 5].map(processesAfter)).toEqual([
    1,
    0,
    0,
    undefined,
  ]);
});

it('a record says what runs, is for its user alone, and is gone when the sandbox is', () => {
  const base = openPrivateBase();
  const record = recordSandbox({ isolation: 'bwrap', uid: 61_184, mark: 'a-mark', controlGroup: '/groups/a' });
  record.addProcess(process.pid);
  const paths = readdirSync(base).map((name) => join(base, name));
  const seen = paths.map((path) => ({ read: readRecord(path), mode: lstatSync(path).mode & 0o777 }));
  record[Symbol.dispose]();
  record[Symbol.dispose]();
  const { pid, startTime } = readProcessIdentity();
  const read = {
    isolation: 'bwrap',
    uid: 61_184,
    mark: 'a-mark',
    controlGroup: '/groups/a',
    processes: [{ pid, startTime }],
  };
  expect({ seen, left: readdirSync(base) }).toEqual({ seen: [{ read, mode: 0o600 }], left: [] });
});
