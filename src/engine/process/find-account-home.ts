import { userInfo } from 'node:os';

/** The home of the account, whatever HOME says: that may point anywhere. Null for a user without an entry. */
export function findAccountHome(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}
