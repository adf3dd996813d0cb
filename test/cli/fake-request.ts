// A question as an engine lists it, about one small write; a test says what is different about its own.
import type { ApprovalRequest, RecoveryRequest } from '../../src/engine/index.ts';
import type { JudgedAct } from '../../src/shared/act.ts';
import type { RequestDetails } from '../../src/shared/approval.ts';
import { RunId, rootAgentId } from '../../src/shared/id.ts';

export const fakeRunId = RunId.parse(`run-${'0'.repeat(22)}`);

export interface FakeRequestOptions extends Partial<Omit<ApprovalRequest, 'details'>> {
  readonly details?: Partial<RequestDetails>;
}

export function fakeRequest({ details, ...rest }: FakeRequestOptions = {}): ApprovalRequest {
  return {
    request: `${fakeRunId}:root:3:0`,
    runId: fakeRunId,
    title: 'Mend the tests',
    agentId: rootAgentId,
    step: 3,
    call: 0,
    act: 'write',
    target: 'src/a.ts',
    because: 'write of "src/a.ts" must be asked for by default',
    raisedAt: 0,
    digest: 'd'.repeat(64),
    details: {
      tool: 'write_file',
      goal: 'Mend the tests',
      workspace: '/w',
      acts: [fakeWrite],
      argumentsHash: 'a'.repeat(64),
      arguments: '{}',
      contentHash: 'c'.repeat(64),
      content: { kind: 'diff', text: '-one\n+two\n' },
      environment: [],
      files: [],
      untrusted: null,
      sensitive: null,
      isolation: 'none',
      proposals: [],
      differences: [],
      ...details,
    },
    answer: null,
    ...rest,
  };
}

/** An interrupted call as an engine lists it. */
export function fakeRecovery(rest: Partial<RecoveryRequest> = {}): RecoveryRequest {
  return {
    request: `${fakeRunId}:root:3:0:recovery`,
    runId: fakeRunId,
    title: 'Mend the tests',
    agentId: rootAgentId,
    step: 3,
    call: 0,
    tool: 'fetch_url',
    target: 'http://a.example/',
    arguments: '{"url":"http://a.example/"}',
    because: 'the engine was interrupted while it was under way',
    startedAt: 0,
    raisedAt: 0,
    answer: null,
    ...rest,
  };
}

export const fakeWrite: JudgedAct = {
  act: { kind: 'write', target: 'src/a.ts', real: 'src/a.ts', letterCase: 'exact', outside: false },
  verdict: {
    effect: 'ask',
    rule: null,
    layer: 'default',
    origin: 'default',
    because: 'write of "src/a.ts" must be asked for by default',
    wouldChange: 'a rule that allows it',
  },
};
