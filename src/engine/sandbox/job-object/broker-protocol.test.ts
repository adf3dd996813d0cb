import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBrokerEvent, sourceLine, toBrokerArgv, toCloseLine, toEndLine, toOpenLine } from './broker-protocol.ts';
import { bootstrap, brokerSource } from './broker-source.ts';

describe('what the program that makes jobs says', () => {
  it.each([
    { event: 'ready' },
    { event: 'unfit', reason: 'language' },
    { event: 'opened', job: 1, userInterface: 'restricted' },
    { event: 'refused', job: 1, step: 'assign', code: 5 },
    { event: 'usage', job: 1, processes: 2, cpuMs: 30, memoryBytes: 4096 },
    { event: 'limit', job: 1, limit: 'memory' },
  ] as const)('is read as it is: $event', (event) => {
    expect([parseBrokerEvent(JSON.stringify(event)), parseBrokerEvent(`${JSON.stringify(event)}\r`)]).toEqual([
      event,
      event,
    ]);
  });

  it.each([
    '',
    'Add-Type : error',
    '{}',
    '{"event":"else"}',
    '{"event":"usage","job":1,"processes":-1,"cpuMs":0,"memoryBytes":0}',
    '{"event":"limit","job":1,"limit":"disk"}',
    '{"event":"ready"',
  ])('is nothing when it is %j', (line) => {
    expect(parseBrokerEvent(line)).toBeNull();
  });

  it('is an event or nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (line) => {
        expect(parseBrokerEvent(line)?.event ?? null).toSatisfy((event) => event === null || typeof event === 'string');
      }),
    );
  });

  it('has the names that it is read by', () => {
    const names = [...`${brokerSource}${bootstrap}`.matchAll(/\\?"event\\?":\\?"(\w+)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(['ready', 'unfit', 'opened', 'refused', 'usage', 'limit']));
  });
});

describe('what it is told', () => {
  it('is one line of numbers each, a missing limit as none', () => {
    expect([
      toOpenLine(7, 4242, { memoryBytes: 1024.5, processes: 64, cpuMs: 1500 }),
      toOpenLine(8, 4243, { memoryBytes: null, processes: null, cpuMs: null }),
      toEndLine(7),
      toCloseLine(7),
    ]).toEqual(['open 7 4242 1025 64 1500\n', 'open 8 4243 0 0 0\n', 'end 7\n', 'close 7\n']);
  });

  it('is first of all the program itself, in one line', () => {
    expect(Buffer.from(sourceLine.trimEnd(), 'base64').toString('utf8')).toBe(brokerSource);
    expect(sourceLine.indexOf('\n')).toBe(sourceLine.length - 1);
  });
});

describe('the command line of PowerShell', () => {
  const argv = toBrokerArgv('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');

  it('holds nothing that any shell or parser could read otherwise', () => {
    for (const word of argv.slice(1)) expect(word).toMatch(/^[\w+/=-]+$/);
    expect(argv.join(' ').length).toBeLessThan(8_000);
  });

  it('asks whether it may, before it compiles anything', () => {
    expect(Buffer.from(argv.at(-1) ?? '', 'base64').toString('utf16le')).toBe(bootstrap);
    expect(bootstrap.indexOf('LanguageMode')).toBeLessThan(bootstrap.indexOf('Add-Type'));
  });
});
