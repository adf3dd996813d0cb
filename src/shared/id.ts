// Identifiers that cross borders. Run ids sort by the time they were made; an agent's id says where in the tree it was
// spawned, so nothing about identity depends on timing.
import { z } from 'zod';

/** One execution of a contract: `run-` and 22 lower-case base-32 digits, of which the first ten are the time. */
export const RunId = z
  .string()
  .regex(/^run-[0-9a-hjkmnp-tv-z]{22}$/)
  .brand<'RunId'>();
export type RunId = z.infer<typeof RunId>;

/** `root`, or the path of spawns that led to the agent: parent, step and call position. */
export const AgentId = z.string().min(1).max(512).brand<'AgentId'>();
export type AgentId = z.infer<typeof AgentId>;

/** SHA-256 of the original bytes, in lower-case hexadecimal. */
export const BlobHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'BlobHash'>();
export type BlobHash = z.infer<typeof BlobHash>;

export const rootAgentId: AgentId = AgentId.parse('root');

/** The agent that a call of `parent` asked for. No two calls of a tree are at the same place. */
export const toChildId = (parent: AgentId, step: number, call: number): AgentId =>
  AgentId.parse(`${parent}/${step}.${call}`);

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** A run id for the moment `nowMs`; `random` supplies at least 12 bytes. Later moments sort after earlier ones. */
export function createRunId(nowMs: number, random: Uint8Array): RunId {
  let time = '';
  let rest = Math.floor(nowMs);
  for (let place = 0; place < 10; place++) {
    time = digits.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  const tail = Array.from(random.subarray(0, 12), (byte) => digits.charAt(byte % 32)).join('');
  return RunId.parse(`run-${time}${tail}`);
}
