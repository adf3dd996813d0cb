// What a command of git comes by beside the files that it can see. A file that may not be read does not exist for it, but
// git keeps its content: it would show that, put it back, or take the file for deleted.
import { posix } from 'node:path';
import type { ExecAct, JudgedAct, PathAct } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { collectAsked } from './collect-asked.ts';
import type { TrackedScope } from './command-line/line-part.ts';
import { judgeResolved } from './judge-resolved.ts';
import { matchPathspecs } from './match-pathspecs.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { readGitIndex, type TrackedFiles } from './read-git-index.ts';

export interface JudgedCommand extends JudgedAct {
  readonly act: ExecAct;
}

/** The command as it was judged, and what of the files that git keeps denies it or is asked about by a rule of its own. */
export async function judgeTracked(
  root: WorkspaceRoot,
  command: JudgedCommand,
  scope: TrackedScope,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  if (command.verdict.effect === 'deny') return [command];
  if (scope.directories === null) return [makeOpaque(command.act, 'nobody can tell where it runs', stance)];
  const asked = collectAsked(byDefault);
  for (const directory of scope.directories) {
    const files = await readGitIndex(root, directory);
    if (files.kind === 'none') continue;
    if (files.kind === 'unknown')
      return [makeOpaque(command.act, `nobody can tell which files git keeps: ${files.reason}`, stance)];
    for (const act of findActs(root, files, scope)) {
      const judged = judgeResolved({ act, refusal: null }, stance);
      if (judged.verdict.effect === 'deny') return [command, explain(judged)];
      asked.add(judged);
    }
  }
  return [command, ...asked.found];
}

/** Where every reading has to be asked for, a command is asked about as a command. */
const byDefault = { layer: 'default', rule: null };

function* findActs(
  { identity }: WorkspaceRoot,
  { paths, top, start, letterCase }: Extract<TrackedFiles, { kind: 'files' }>,
  { pathspecs }: TrackedScope,
): Generator<PathAct> {
  const toAbsolute = (path: string) => posix.join(identity.path, path);
  const isMeant = matchPathspecs(pathspecs, { top: toAbsolute(top), start: toAbsolute(start) });
  for (const path of paths) {
    if (!isMeant(path)) continue;
    const target = posix.join(top, path);
    yield { kind: 'read', target, real: target, letterCase, outside: false };
  }
}

function explain({ act, verdict }: JudgedAct): JudgedAct {
  const because = `${verdict.because}, and git, which keeps that file, would show it, put it back or take it for deleted`;
  return { act, verdict: { ...verdict, because, wouldChange: remedy } };
}

const remedy =
  'git_diff, git_log, git_add and git_commit leave it out, and so does a command that names other paths after "--"';

function makeOpaque(act: ExecAct, reason: string, stance: Stance): JudgedAct {
  return judgeResolved({ act: { ...act, opaque: act.opaque ?? reason }, refusal: null }, stance);
}
