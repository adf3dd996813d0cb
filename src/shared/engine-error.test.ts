import { describe, expect, it } from 'vitest';
import { EngineError, type EngineErrorCode, isEngineError, toErrorExitCode } from './engine-error.ts';

const exitCodes: Readonly<Record<EngineErrorCode, number>> = {
  usage: 2,
  'contract-invalid': 2,
  unpriced: 2,
  'workspace-unusable': 2,
  'home-overlaps-workspace': 2,
  'provider-not-configured': 2,
  'policy-invalid': 2,
  'approval-unknown': 2,
  'approval-answered': 2,
  'approval-changed': 2,
  'decision-refused': 2,
  'recovery-unknown': 2,
  'recovery-answered': 2,
  'rewrite-invalid': 2,
  'remember-refused': 2,
  'run-unknown': 2,
  'run-owned': 2,
  'run-exists': 2,
  'run-imported': 2,
  'run-unfinished': 2,
  'run-ended': 2,
  'agent-unknown': 2,
  'agent-ended': 2,
  'agent-not-paused': 2,
  'ceiling-spent': 2,
  'export-invalid': 2,
  'file-exists': 2,
  'rewind-refused': 2,
  'processes-left': 2,
  'sandbox-unavailable': 7,
  'home-unusable': 8,
  'store-damaged': 8,
  'store-foreign': 8,
  'store-newer': 8,
  'store-full': 8,
  'store-unwritable': 8,
  'store-busy': 8,
  'store-copied': 8,
  'store-shared': 8,
  'blob-missing': 8,
  'lease-lost': 8,
  closed: 8,
  internal: 8,
};

describe('toErrorExitCode', () => {
  it('gives each code the number that the matching outcome has', () => {
    const codes = Object.keys(exitCodes).filter((code): code is EngineErrorCode => code in exitCodes);
    expect(Object.fromEntries(codes.map((code) => [code, toErrorExitCode(code)]))).toEqual(exitCodes);
  });
});

describe('an engine error', () => {
  it('carries code, message, remedy and cause', () => {
    const cause = new Error('disk');
    const { name, code, message, remedy, cause: kept } = new EngineError('store-full', 'full', { remedy: 'r', cause });
    expect({ name, code, message, remedy, kept }).toEqual({
      name: 'EngineError',
      code: 'store-full',
      message: 'full',
      remedy: 'r',
      kept: cause,
    });
  });

  it('is recognised when another copy of the module made it, and nothing else is', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('io-studio.engine-error')]: true });
    const others = [new Error('x'), { code: 'usage' }, null, undefined, 'usage', 8];
    expect([foreign, ...others].map((value) => isEngineError(value))).toEqual([true, ...others.map(() => false)]);
  });
});
