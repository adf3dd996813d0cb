import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver } from '../../../test/support/open-driver.ts';
import type { PersonEventBody } from '../../shared/event.ts';
import { rootAgentId } from '../../shared/id.ts';
import { isWithdrawn } from './is-withdrawn.ts';

const say = ({ journal, lease }: OpenedDriver, body: PersonEventBody) =>
  journal.writer.appendPerson(lease.runId, { agentId: rootAgentId, step: 0, at: 1, body, subject: null }, []);
const raise = { type: 'ceiling-raise', actor: 'p', budget: 'steps', limit: 99 } as const;

describe('whether people have taken back that an agent goes on', () => {
  it('is seen behind whatever else was appended meanwhile, however much that is', async () => {
    await using driver = await openDriver();
    await Promise.all(Array.from({ length: 450 }, () => say(driver, raise)));
    const before = isWithdrawn(driver.ports, rootAgentId);
    await say(driver, { type: 'run-cancel', actor: 'p' });
    expect([before, isWithdrawn(driver.ports, rootAgentId)]).toEqual([false, true]);
  });
});
