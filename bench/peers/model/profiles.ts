// What each client calls the tools for the three kinds of step, and how it wants their arguments.
import { z } from 'zod';

export const ProfileName = z.enum([
  'io-studio',
  'library',
  'claude',
  'cline',
  'codex',
  'gemini',
  'opencode',
  'pi',
  'qwen',
]);
export type ProfileName = z.infer<typeof ProfileName>;

export interface ToolUse {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface FileStep {
  readonly workspace: string;
  /** Name of a file in the workspace. */
  readonly file: string;
}

export interface Profile {
  /** Only an offer of one of these is a step of the task: clients ask for titles and summaries too. */
  readonly tools: readonly string[];
  read(step: FileStep): ToolUse;
  write(step: FileStep & { readonly content: string }): ToolUse;
  run(command: string): ToolUse;
}

const inFull = ({ workspace, file }: FileStep): string => `${workspace}/${file}`;

const library: Profile = {
  tools: ['read_file', 'write_file', 'run_command'],
  read: (step) => ({ name: 'read_file', arguments: { path: inFull(step) } }),
  write: (step) => ({ name: 'write_file', arguments: { path: inFull(step), content: step.content } }),
  run: (command) => ({ name: 'run_command', arguments: { command } }),
};

const ioStudio: Profile = {
  tools: ['read_file', 'write_file', 'shell'],
  read: ({ file }) => ({ name: 'read_file', arguments: { path: file } }),
  write: ({ file, content }) => ({ name: 'write_file', arguments: { path: file, content } }),
  run: (command) => ({ name: 'shell', arguments: { command } }),
};

const claude: Profile = {
  tools: ['Read', 'Write', 'Bash'],
  read: (step) => ({ name: 'Read', arguments: { file_path: inFull(step) } }),
  write: (step) => ({ name: 'Write', arguments: { file_path: inFull(step), content: step.content } }),
  run: (command) => ({ name: 'Bash', arguments: { command, description: 'run' } }),
};

const opencode: Profile = {
  tools: ['read', 'write', 'bash'],
  read: (step) => ({ name: 'read', arguments: { filePath: inFull(step) } }),
  write: (step) => ({ name: 'write', arguments: { filePath: inFull(step), content: step.content } }),
  run: (command) => ({ name: 'bash', arguments: { command, description: 'run' } }),
};

const pi: Profile = {
  tools: ['read', 'write', 'bash'],
  read: (step) => ({ name: 'read', arguments: { path: inFull(step) } }),
  write: (step) => ({ name: 'write', arguments: { path: inFull(step), content: step.content } }),
  run: (command) => ({ name: 'bash', arguments: { command } }),
};

const gemini: Profile = {
  tools: ['read_file', 'write_file', 'run_shell_command'],
  read: (step) => ({ name: 'read_file', arguments: { file_path: inFull(step) } }),
  write: (step) => ({ name: 'write_file', arguments: { file_path: inFull(step), content: step.content } }),
  run: (command) => ({ name: 'run_shell_command', arguments: { command, description: 'run', is_background: false } }),
};

/** It has no tool that reads a file, and no patch tool for a model it does not know: it takes patches in a command. */
const codex: Profile = {
  tools: ['exec_command'],
  read: (step) => codex.run(`cat ${inFull(step)}`),
  write: (step) => codex.run(toPatchCommand(inFull(step), step.content)),
  run: (command) => ({ name: 'exec_command', arguments: { cmd: command } }),
};

const cline: Profile = {
  tools: ['read_files', 'editor', 'run_commands'],
  read: (step) => ({ name: 'read_files', arguments: { files: [{ path: inFull(step) }] } }),
  write: (step) => ({ name: 'editor', arguments: { path: inFull(step), new_text: step.content } }),
  run: (command) => ({ name: 'run_commands', arguments: { commands: [command] } }),
};

const toPatchCommand = (path: string, content: string): string =>
  `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+${content.trim()}\n*** End Patch\nEOF`;

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  'io-studio': ioStudio,
  library,
  claude,
  cline,
  codex,
  gemini,
  opencode,
  pi,
  qwen: gemini,
};
