// Forks the built engine as a utility process. Its pipes are the caller's to drain.
import { join } from 'node:path';
import { type UtilityProcess, utilityProcess } from 'electron';
import { toEngineEnvironment } from './to-engine-environment.ts';

export function forkEngine(): UtilityProcess {
  const engine = utilityProcess.fork(join(import.meta.dirname, 'engine.js'), [], {
    serviceName: 'io-studio-engine',
    stdio: 'pipe',
    env: toEngineEnvironment(process.env),
  });
  engine.postMessage('open');
  return engine;
}
