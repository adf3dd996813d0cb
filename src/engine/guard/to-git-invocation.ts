// How git is called so that as little as can be of what a repository names is run: no hook, no file system monitor, no
// external difference, pager, editor, signer, credential helper or transport. What no option switches off (filters, text
// conversions of an attribute) runs in the sandbox like any other command.
import type { GitCommand } from './guard.ts';

export interface GitInvocation {
  /** Everything after the program. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export function toGitInvocation({ words, paths = [], without = [] }: GitCommand): GitInvocation {
  const literal = paths.map((path) => `:(literal)${path}`);
  const excluded = without.map((path) => `:(exclude,literal)${path}`);
  const narrowed = [...literal, ...excluded];
  return {
    words: [
      '--no-pager',
      ...settings.flatMap((setting) => ['-c', setting]),
      ...words,
      ...(narrowed.length === 0 ? [] : ['--', ...narrowed]),
    ],
    environment,
  };
}

/** They win over every file of settings. */
const settings: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.editor=false',
  'core.askPass=false',
  'core.sshCommand=false',
  'core.attributesFile=/dev/null',
  'credential.helper=',
  'protocol.allow=never',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'diff.submodule=short',
  'diff.ignoreSubmodules=dirty',
  'gc.auto=0',
  'maintenance.auto=false',
  // A new branch that follows another would be written to the settings of the repository.
  'branch.autoSetupMerge=false',
  // A file in the sandbox has another owner, number and time of change than outside: its size and time of writing have to do.
  'core.checkStat=minimal',
  'core.trustctime=false',
  'safe.directory=*',
  'core.quotePath=false',
  'color.ui=false',
];

const environment: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  // Looking at a repository writes nothing to it.
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
};
