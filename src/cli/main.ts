// Chooses the command and turns whatever goes wrong into one message, one verdict and one exit code.
import { EngineError } from '../shared/engine-error.ts';
import { engineVersion } from '../shared/engine-version.ts';
import { approvalsCommand } from './command/approvals.ts';
import { cancelCommand } from './command/cancel.ts';
import { decideCommand } from './command/decide.ts';
import { doctorCommand } from './command/doctor.ts';
import { explainCommand } from './command/explain.ts';
import { forkCommand } from './command/fork.ts';
import { pauseCommand } from './command/pause.ts';
import { policyCommand } from './command/policy.ts';
import { raiseCommand } from './command/raise.ts';
import { recoverCommand } from './command/recover.ts';
import { recoveriesCommand } from './command/recoveries.ts';
import { replayCommand } from './command/replay.ts';
import { resumeCommand } from './command/resume.ts';
import { rewindCommand } from './command/rewind.ts';
import { runCommand } from './command/run.ts';
import { runsCommand } from './command/runs.ts';
import { simulateCommand } from './command/simulate.ts';
import { steerCommand } from './command/steer.ts';
import { storeCommand } from './command/store.ts';
import { takeoverCommand } from './command/takeover.ts';
import { traceCommand } from './command/trace.ts';
import { treeCommand } from './command/tree.ts';
import { unpauseCommand } from './command/unpause.ts';
import { helpText } from './help-text.ts';
import { writeFailure } from './write-failure.ts';

type Command = (args: string[]) => Promise<number>;

const commands: ReadonlyMap<string, Command> = new Map([
  ['run', runCommand],
  ['resume', resumeCommand],
  ['rewind', rewindCommand],
  ['fork', forkCommand],
  ['replay', replayCommand],
  ['runs', runsCommand],
  ['trace', traceCommand],
  ['tree', treeCommand],
  ['steer', steerCommand],
  ['pause', pauseCommand],
  ['unpause', unpauseCommand],
  ['cancel', cancelCommand],
  ['raise', raiseCommand],
  ['takeover', takeoverCommand],
  ['approvals', approvalsCommand],
  ['decide', decideCommand],
  ['recoveries', recoveriesCommand],
  ['recover', recoverCommand],
  ['explain', explainCommand],
  ['simulate', simulateCommand],
  ['policy', policyCommand],
  ['store', storeCommand],
  ['doctor', doctorCommand],
]);

/** Runs one command line (without program and script) and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  // Whoever reads our output may stop reading; the run goes on, and its journal has everything.
  process.stdout.on('error', () => undefined);
  const [name, ...args] = argv;
  try {
    if (name === undefined || name === 'help' || args.includes('--help') || name === '--help') {
      process.stdout.write(`${helpText}\n`);
      return name === undefined ? 2 : 0;
    }
    if (name === '--version' || name === 'version') {
      process.stdout.write(`${engineVersion}\n`);
      return 0;
    }
    const command = commands.get(name);
    if (command === undefined) throw unknownCommand(name);
    return await command(args);
  } catch (error) {
    return writeFailure(error, { json: argv.includes('--json'), runId: null });
  }
}

const unknownCommand = (name: string): EngineError =>
  new EngineError('usage', `There is no command "${name}".`, {
    remedy: `The commands are ${[...commands.keys()].join(', ')}; see "io-studio help".`,
  });
