// Runs the Go compiler for a gate: one package and its tests become a program. A compiler that cannot compile anything is
// told from a subject that does not compile by giving it a test that must.
import type { BoxFile, SandboxResult } from '../sandbox/sandbox.ts';
import { takeProgram, toBoxFile } from './box-file.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInBox } from './check-context.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';

export interface GoJob {
  readonly files: readonly BoxFile[];
  /** Of the package, relative to the module; the module itself is `.`. */
  readonly directory: string;
  /** What is compiled, as the subject of a sentence. */
  readonly what: string;
}

export type CompiledGo =
  | { readonly kind: 'compiled'; readonly program: BoxFile }
  | { readonly kind: 'failed'; readonly report: CheckReport };

/** Compiles the tests of a package; without a file `go.mod` it is part of a module `subject`. */
export async function compileGoTests({ files, directory, what }: GoJob, context: CheckContext): Promise<CompiledGo> {
  const run = await compile(files, directory, context);
  if (run.kind !== 'exit') return failed(reportNoExit(`Compiling ${what}`, run));
  if (run.code === 0) return toProgram(run);
  const control = await compile([controlSource], '.', context);
  const works = control.kind === 'exit' && control.code === 0;
  if (works) return failed(reportRun('notMet', `${what} does not compile.`, run));
  return failed(reportRun('notEvaluated', 'The Go compiler does not work here.', control));
}

/** The name of the program that compiled tests are. */
export const goProgram = 'io-studio-gate-tests';

const controlSource = toBoxFile(
  'control_test.go',
  'package control\n\nimport "testing"\n\nfunc TestControl(t *testing.T) {}\n',
);

async function compile(files: readonly BoxFile[], directory: string, context: CheckContext): Promise<SandboxResult> {
  const module = files.find(({ path }) => path === moduleFile) ?? (await createModule(context));
  if ('kind' in module) return module;
  const sources = [...files.filter(({ path }) => path !== moduleFile), module];
  const argv = ['go', 'test', '-c', '-vet=off', '-o', goProgram, toPackage(directory)] as const;
  return runInBox(context, argv, { files: sources, collect: [goProgram], environment });
}

const moduleFile = 'go.mod';

/** A module for the language as this compiler knows it, or how that failed. */
async function createModule(context: CheckContext): Promise<BoxFile | SandboxResult> {
  const run = await runInBox(context, ['go', 'mod', 'init', 'subject'], {
    files: [],
    collect: [moduleFile],
    environment,
  });
  const bytes = run.kind === 'exit' && run.leavings.kind === 'files' ? run.leavings.files.get(moduleFile) : undefined;
  return bytes === undefined ? run : toBoxFile(moduleFile, bytes);
}

/** No other compiler is needed then. */
const environment = { CGO_ENABLED: '0' };

const toPackage = (directory: string): string => (directory === '.' ? '.' : `./${directory}`);

function toProgram(run: Extract<SandboxResult, { kind: 'exit' }>): CompiledGo {
  const program = run.leavings.kind === 'files' ? takeProgram(run.leavings.files, goProgram) : null;
  if (program === null) return failed(toReport('notEvaluated', 'The Go compiler left no program to run.'));
  return { kind: 'compiled', program };
}

function failed(report: CheckReport): CompiledGo {
  return { kind: 'failed', report };
}
