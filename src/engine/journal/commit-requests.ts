// Carries out queued requests as one transaction. Each stands in a savepoint of its own: one that is refused or fails
// leaves the others whole. Nobody is answered before the commit is on the disk.
import { EngineError } from '../../shared/engine-error.ts';
import type { RunId } from '../../shared/id.ts';
import { passCrashPoint } from './crash-point.ts';
import { applyKeeperRequest } from './retention/apply-keeper-request.ts';
import type { PreparedBlob } from './store-blob.ts';
import { toStoreError } from './store-error.ts';
import type { Stores } from './stores.ts';
import type { WorkerReply, WriteRequest } from './worker-message.ts';

/** One reply for each request, in order. Does not throw: what goes wrong is an `error` reply. */
export function commitRequests(stores: Stores, requests: readonly WriteRequest[]): WorkerReply[] {
  const { database, file } = stores;
  if (requests.length === 0) return [];
  try {
    const prepared = requests.map((request) => prepareBlobs(stores, request));
    const commit = database.transaction(() => {
      const replies = requests.map((request, index) => applyGuarded(stores, request, prepared[index] ?? []));
      passCrashPoint('before-commit');
      return replies;
    });
    const replies = commit.immediate();
    passCrashPoint('after-commit');
    for (const reply of replies) keepLease(stores, reply);
    return replies;
  } catch (error) {
    const reply = toErrorReply(error, file);
    return requests.map(() => reply);
  }
}

function prepareBlobs({ blobs }: Stores, request: WriteRequest): PreparedBlob[] {
  return 'blobs' in request ? request.blobs.map((blob) => blobs.prepare(blob)) : [];
}

function applyGuarded(stores: Stores, request: WriteRequest, blobs: readonly PreparedBlob[]): WorkerReply {
  const { database, file } = stores;
  try {
    // Inside the outer transaction this is a savepoint.
    return database.transaction(() => apply(stores, request, blobs))();
  } catch (error) {
    // Some failures (a full disk) make SQLite end the whole transaction; then nothing of the others is left either.
    if (!database.inTransaction) throw error;
    return toErrorReply(error, file);
  }
}

function apply(stores: Stores, request: WriteRequest, blobs: readonly PreparedBlob[]): WorkerReply {
  switch (request.kind) {
    case 'create-run':
      return createRun(stores, request, blobs);
    case 'append':
      return append(stores, request, blobs);
    case 'append-person':
      return appendPerson(stores, request, blobs);
    case 'take-lease':
      return takeLease(stores, request);
    case 'wrest-lease':
      return wrestLease(stores, request);
    case 'adopt-store':
      stores.place.adopt();
      return { kind: 'done' };
    case 'release-lease':
      stores.leases.release(request.lease, Date.now());
      return { kind: 'done' };
    default:
      return applyKeeperRequest(stores, request, blobs);
  }
}

type RequestOf<Kind extends WriteRequest['kind']> = Extract<WriteRequest, { readonly kind: Kind }>;

function createRun(stores: Stores, request: RequestOf<'create-run'>, blobs: readonly PreparedBlob[]): WorkerReply {
  stores.place.assertHere();
  const run = stores.events.createRun(request.runId);
  const lease = stores.leases.create(run, request.runId);
  for (const blob of blobs) stores.blobs.put(blob);
  for (const event of request.events) stores.events.append(run, event);
  return { kind: 'lease', lease };
}

function append(stores: Stores, request: RequestOf<'append'>, blobs: readonly PreparedBlob[]): WorkerReply {
  const run = requireRun(stores, request.lease.runId);
  if (!stores.leases.isHeld(run, request.lease)) return { kind: 'append', result: { kind: 'lease-lost' } };
  for (const blob of blobs) stores.blobs.put(blob);
  const seqs = request.events.map((event) => stores.events.append(run, event).seq);
  return { kind: 'append', result: { kind: 'appended', firstSeq: seqs[0] ?? 0 } };
}

function takeLease({ events, leases, place }: Stores, request: RequestOf<'take-lease'>): WorkerReply {
  place.assertHere();
  const { runId, cleared } = request;
  return { kind: 'lease-result', result: leases.take(requireRun({ events }, runId), runId, cleared) };
}

function wrestLease({ events, leases, place }: Stores, request: RequestOf<'wrest-lease'>): WorkerReply {
  place.assertHere(); // Beside a copy the driver of the original cannot be seen to live.
  const { runId, owner, event, cleared } = request;
  const run = requireRun({ events }, runId);
  const result = leases.wrest(run, { owner, cleared }, event.at);
  if (result.kind === 'wrested') events.append(run, event);
  return { kind: 'lease-wrest', result };
}

function appendPerson(
  stores: Stores,
  request: RequestOf<'append-person'>,
  blobs: readonly PreparedBlob[],
): WorkerReply {
  const { events } = stores;
  const { event } = request;
  const run = requireRun(stores, request.runId);
  const winner = event.subject === null ? undefined : events.findSaid(run, event.body.type, event.subject);
  if (winner) return { kind: 'person-already', winner };
  for (const blob of blobs) stores.blobs.put(blob);
  const { seq, position } = events.append(run, event);
  if (event.subject !== null) events.markSaid(run, event.body.type, event.subject, position);
  return { kind: 'person-append', seq };
}

function keepLease({ leases }: Stores, reply: WorkerReply): void {
  if (reply.kind === 'lease') leases.keep(reply.lease);
  if (reply.kind === 'lease-result' && reply.result.kind === 'taken') leases.keep(reply.result.lease);
}

function requireRun({ events }: Pick<Stores, 'events'>, runId: RunId): number {
  const run = events.findRun(runId);
  if (run !== undefined) return run;
  throw new EngineError('run-unknown', `There is no run ${runId} in this journal.`, {
    remedy: 'List the runs with `io-studio runs`, and check that --home is the one the run was started with.',
  });
}

/** An error as it crosses the thread border. */
export function toErrorReply(error: unknown, file: string): WorkerReply {
  const { code, message, remedy } = toStoreError(error, file);
  return { kind: 'error', code, message, remedy };
}
