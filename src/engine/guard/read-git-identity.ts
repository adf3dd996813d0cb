// The name that a person has given to git for all their repositories. Git itself is not asked: outside the sandbox none runs,
// and inside it nobody's home is in sight.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAccountHome } from '../process/find-account-home.ts';

/** As variables of git, which win over what a repository says; empty where the person has given no name and address. */
export function readGitIdentity(home: string | null = findAccountHome()): Record<string, string> {
  if (home === null) return {};
  // Of the two files the second one wins, as for git.
  const texts = [join(home, '.config/git/config'), join(home, '.gitconfig')].map(readText);
  const { name, email } = Object.assign({}, ...texts.map(readUser));
  if (!name || !email) return {};
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The settings `name` and `email` of the section `user`, where they stand on a line of their own as git writes them. */
function readUser(text: string): { name?: string; email?: string } {
  let section = '';
  const found: { name?: string; email?: string } = {};
  for (const line of text.split('\n')) {
    section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim().toLowerCase() ?? section;
    if (section !== 'user') continue;
    const [, key, value] = /^\s*(?:\[[^\]]*\]\s*)?(name|email)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (key !== undefined && value !== undefined) Object.assign(found, { [key.toLowerCase()]: toValue(value) });
  }
  return found;
}

/** Without its quotes, its escapes and the comment behind it. */
function toValue(written: string): string {
  const parts = written.match(/"(?:\\.|[^"\\])*"|\\.|[#;].*$|[^"\\#;]+/g) ?? [];
  const texts = parts.filter((part) => !/^[#;]/.test(part)).map((part) => part.replace(/^"(.*)"$/, '$1'));
  return texts.join('').replace(/\\(.)/g, '$1').trim();
}
