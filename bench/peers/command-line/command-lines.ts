// The agents that are started from the command line, by the names that choose them, and where their programs are.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex, codexSandbox } from './codex.ts';
import type { CommandLine } from './command-line.ts';
import { gemini } from './gemini.ts';
import { ioStudio } from './io-studio.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

export const commandLines: Readonly<Record<string, CommandLine>> = {
  'io-studio': ioStudio,
  codex,
  'codex-sandbox': codexSandbox,
  claude,
  pi,
  gemini,
  opencode,
  qwen,
  cline,
};

const installed = join(import.meta.dirname, '../node_modules');

export const toProgram = ({ program }: CommandLine): string =>
  isAbsolute(program) ? program : join(installed, '.bin', program);

export const isInstalled = (commandLine: CommandLine): boolean => existsSync(toProgram(commandLine));

const Manifest = z.looseObject({ version: z.string() });

export function readVersion(commandLine: CommandLine): string {
  const own = join(import.meta.dirname, '../../../package.json');
  const file = isAbsolute(commandLine.program) ? own : join(installed, commandLine.package, 'package.json');
  return Manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
