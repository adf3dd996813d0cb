// The tools an agent has, always in this order: the head of a prompt stays the same bytes from step to step.
import { readMessages } from './agent/read-messages.ts';
import { sendMessage } from './agent/send-message.ts';
import { spawnAgent } from './agent/spawn-agent.ts';
import { waitAgents } from './agent/wait-agents.ts';
import { editFile } from './edit-file.ts';
import { exec } from './exec.ts';
import { fetchUrl } from './fetch-url.ts';
import { find } from './find.ts';
import { gitAdd } from './git/git-add.ts';
import { gitBranch } from './git/git-branch.ts';
import { gitCommit } from './git/git-commit.ts';
import { gitDiff } from './git/git-diff.ts';
import { gitLog } from './git/git-log.ts';
import { gitStatus } from './git/git-status.ts';
import { gitWorktree } from './git/git-worktree.ts';
import { grep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { processEnd } from './process/process-end.ts';
import { processList } from './process/process-list.ts';
import { processRead } from './process/process-read.ts';
import { processSignal } from './process/process-signal.ts';
import { processStart } from './process/process-start.ts';
import { processWrite } from './process/process-write.ts';
import { proposePlan } from './propose-plan.ts';
import { readFile } from './read-file.ts';
import { shell } from './shell.ts';
import type { Tool } from './tool.ts';
import { writeFile } from './write-file.ts';

export interface ToolChoice {
  /** Whether the model may run commands at all. */
  readonly commands: boolean;
  /** Whether any host may be dialled. */
  readonly network: boolean;
  /** Whether a plan is to be approved before anything is done. */
  readonly plan: boolean;
  /** Whether other agents may be spawned. */
  readonly agents: boolean;
}

const gitTools: readonly Tool[] = [gitStatus, gitDiff, gitLog, gitAdd, gitCommit, gitBranch, gitWorktree];

const processTools: readonly Tool[] = [processStart, processRead, processWrite, processSignal, processEnd, processList];

/** What of them speaks of processes that go on between calls. */
export const processToolNames: ReadonlySet<string> = new Set(processTools.map(({ name }) => name));

const agentTools: readonly Tool[] = [spawnAgent, waitAgents, sendMessage, readMessages];

/** What of them speaks of other agents. */
export const agentToolNames: ReadonlySet<string> = new Set(agentTools.map(({ name }) => name));

/** By name, in the order in which a model is told of them. */
export function createTools({ commands, network, plan, agents }: ToolChoice): ReadonlyMap<string, Tool> {
  const tools: readonly Tool[] = [
    readFile,
    writeFile,
    editFile,
    listDir,
    find,
    grep,
    ...(commands ? [exec, shell, ...gitTools, ...processTools] : []),
    ...(network ? [fetchUrl] : []),
    ...(plan ? [proposePlan] : []),
    ...(agents ? agentTools : []),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
