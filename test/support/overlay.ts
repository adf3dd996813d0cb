// A real overlay over a directory, with a shell script that works in it and has ended by the time anybody looks: what the
// sandbox does for a command, without the enclosure around it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OverlayOptions } from '../../src/engine/sandbox/staged/read-overlay-changes.ts';
import { readStartInstant } from '../../src/engine/sandbox/staged/start-instant.ts';

export interface OverlayRun extends OverlayOptions, Disposable {
  /** What the script wrote. */
  readonly output: string;
}

export interface OverlayScript {
  /** A directory by its real path. */
  readonly lower: string;
  readonly hidden?: readonly string[];
  /** For bash, in the overlay. */
  readonly script: string;
  /** Called in this process once everything is mounted, before the script runs. */
  readonly onMounted?: () => void;
}

const isRoot = process.getuid?.() === 0;
const namespaces = isRoot ? '-m' : '-Urm';

/** Null where overlays can be mounted, otherwise why not. */
export function findOverlayObstacle(): string | null {
  if (process.platform !== 'linux') return 'overlays need Linux';
  const script = `cd "$(mktemp -d)" && mount -t tmpfs none . && mkdir l u w m && ${mountOverlay('l', 'u', 'w', 'm')}`;
  const { status, stderr } = spawnSync('unshare', [namespaces, 'sh', '-c', script], { encoding: 'utf8' });
  return status === 0 ? null : `no overlay can be mounted here: ${stderr ?? 'unshare is missing'}`;
}

/** Rejects when the overlay cannot be mounted. */
export async function runInOverlay({ lower, hidden = [], script, onMounted }: OverlayScript): Promise<OverlayRun> {
  const askedAt = Date.now();
  const stage = mkdtempSync(join(tmpdir(), 'io-studio-stage-'));
  const child = spawn('unshare', [namespaces, 'bash', '-c', outerScript, 'bash', stage, lower, script, ...hidden], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await Promise.race([once(child.stdout, 'data'), exit]);
  if (output !== 'ready\n') throw new Error('The overlay could not be mounted.');
  const hold = (name: string) =>
    openSync(`/proc/${child.pid}/root${stage}/${name}`, constants.O_RDONLY | constants.O_DIRECTORY);
  const descriptors = [hold('upper'), hold('merged')];
  const [upper, merged] = descriptors.map((descriptor) => `/proc/self/fd/${descriptor}`);
  const startedAt = await readStartInstant(`/proc/${child.pid}/root${stage}/clock`, askedAt);
  onMounted?.();
  child.stdin.end('go\n');
  await exit;
  const close = () => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
    rmSync(stage, { recursive: true, force: true });
  };
  if (upper === undefined || merged === undefined) throw new Error('Nothing is held.');
  return { upper, merged, lower, hidden, startedAt, output: output.slice(6), [Symbol.dispose]: close };
}

const outerScript = `
  set -e; stage=$1; lower=$2; script=$3; shift 3
  mount -t tmpfs none "$stage"; cd "$stage"; mkdir upper work merged
  for path; do
    mkdir -p "upper/$(dirname "$path")"; mknod "upper/$path" c 0 0
    while [ "$path" != . ]; do path=$(dirname "$path"); chmod --reference="$lower/$path" "upper/$path"; done
  done
  ${mountOverlay('$lower', 'upper', 'work', 'merged')}
  cd merged; echo ready; read -r _
  set +e; eval "$script"`;

function mountOverlay(lower: string, upper: string, work: string, merged: string): string {
  const kind = isRoot ? 'redirect_dir=off,metacopy=off,index=off' : 'userxattr';
  return `mount -t overlay none -o "lowerdir=${lower},upperdir=${upper},workdir=${work},${kind}" ${merged}`;
}
