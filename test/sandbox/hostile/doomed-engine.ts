// An engine that is killed while a command of it runs. The command leaves a process without environment, session and output
// and never ends by itself; everything of it has the marker on its command line.
// Usage: doomed-engine.ts BACKEND MARKER
import { defaultLimits } from '../../../src/engine/sandbox/sandbox.ts';
import { findSandbox } from './find-sandbox.ts';

const [name = '', marker = ''] = process.argv.slice(2);
const sandbox = await findSandbox(name);
if (typeof sandbox === 'string') throw new Error(sandbox);
const source = `
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 64)
        os.execve("/bin/sleep", [sys.argv[1], "60"], {})
    os._exit(0)
os.execve("/bin/sleep", [sys.argv[1], "60"], {})
`;
await sandbox.run(
  {
    argv: ['/usr/bin/python3', '-I', '-c', source, marker],
    directory: { mode: 'ephemeral', files: [], collect: [] },
    environment: {},
    limits: defaultLimits,
  },
  AbortSignal.timeout(60_000),
);
