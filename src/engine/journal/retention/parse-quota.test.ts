import { describe, expect, it } from 'vitest';
import { parseQuota } from './parse-quota.ts';

describe('the quota', () => {
  it('is ten gigabytes unless something else is said, and can be none', () => {
    const said = [null, 'none', '1GB'].map((policy) => parseQuota({ environment: '', policy }));
    expect(said).toEqual([10_000_000_000, null, 1_000_000_000]);
  });

  it('is what the environment says of it, whatever the policy says', () => {
    const said = ['none', '10GiB'].map((environment) => parseQuota({ environment, policy: '1GB' }));
    expect(said).toEqual([null, 10_737_418_240]);
  });

  it('that is no size is refused with what it was', () => {
    expect(() => parseQuota({ environment: 'much', policy: '1GB' })).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining('"much"') }),
    );
  });
});
