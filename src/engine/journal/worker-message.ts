// What the calling thread and the worker say to each other. Every request has one reply with the same id; the reply with
// id 0 is the worker's own first word, that the store is open.
import type { EngineErrorCode } from '../../shared/engine-error.ts';
import type { RunId } from '../../shared/id.ts';
import type {
  AppendResult,
  Lease,
  LeaseOwner,
  LeaseResult,
  LeaseWrest,
  NewBlob,
  NewEvent,
  NewPersonEvent,
} from './journal.ts';
import type { KeeperReply, KeeperRequest } from './retention/keeper-message.ts';

export interface WorkerSettings {
  readonly home: string;
}

interface CreateRunRequest {
  readonly kind: 'create-run';
  readonly runId: RunId;
  readonly events: readonly NewEvent[];
  readonly blobs: readonly NewBlob[];
}

interface AppendRequest {
  readonly kind: 'append';
  readonly lease: Lease;
  readonly events: readonly NewEvent[];
  readonly blobs: readonly NewBlob[];
}

interface AppendPersonRequest {
  readonly kind: 'append-person';
  readonly runId: RunId;
  readonly event: NewPersonEvent;
  readonly blobs: readonly NewBlob[];
}

interface WrestLeaseRequest {
  readonly kind: 'wrest-lease';
  readonly runId: RunId;
  readonly owner: LeaseOwner;
  readonly event: NewPersonEvent;
  readonly cleared: LeaseOwner | null;
}

/** What is carried out in a transaction. */
export type WriteRequest =
  | CreateRunRequest
  | AppendRequest
  | AppendPersonRequest
  | { readonly kind: 'take-lease'; readonly runId: RunId; readonly cleared: LeaseOwner | null }
  | WrestLeaseRequest
  | { readonly kind: 'adopt-store' }
  | { readonly kind: 'release-lease'; readonly lease: Lease }
  | KeeperRequest;

export type WorkerRequest = WriteRequest | { readonly kind: 'close' };

export type WorkerReply =
  | { readonly kind: 'done' }
  | { readonly kind: 'lease'; readonly lease: Lease }
  | { readonly kind: 'append'; readonly result: AppendResult }
  | { readonly kind: 'person-append'; readonly seq: number }
  | { readonly kind: 'person-already'; readonly winner: string }
  | { readonly kind: 'lease-result'; readonly result: LeaseResult }
  | { readonly kind: 'lease-wrest'; readonly result: LeaseWrest }
  | Exclude<KeeperReply, { readonly kind: 'done' }>
  | { readonly kind: 'error'; readonly code: EngineErrorCode; readonly message: string; readonly remedy: string };

export interface WorkerMessage {
  readonly id: number;
  readonly request: WorkerRequest;
}

export interface WriteMessage {
  readonly id: number;
  readonly request: WriteRequest;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly message: WorkerReply;
}
