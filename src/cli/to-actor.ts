import { userInfo } from 'node:os';

/** Who answers here, as the trace will name them: `person:ada@terminal`, or `@process` where no person types. */
export function toActor(): string {
  return `person:${readUserName()}@${process.stdin.isTTY ? 'terminal' : 'process'}`;
}

/** A user of a container may have a number and no name. */
function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
