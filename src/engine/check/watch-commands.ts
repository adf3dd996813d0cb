// The sandbox of a check, under watch: no kind of check can run a command of which whoever asked for the check does not hear.
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CommandWatch } from './check.ts';

export function watchCommands(sandbox: Sandbox, watch: CommandWatch): Sandbox {
  return {
    get isolation() {
      return sandbox.isolation;
    },
    async run(spec, signal) {
      const end = await watch({ program: spec.argv[0], isolation: sandbox.isolation });
      const ran = await sandbox.run(spec, signal);
      end(ran);
      return ran;
    },
  };
}
