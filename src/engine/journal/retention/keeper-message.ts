// What the keeper and the worker say to each other.
import type { JournalEvent } from '../../../shared/event.ts';
import type { RunId } from '../../../shared/id.ts';
import type { NewBlob } from '../new-blob.ts';
import type { Deleted, Hiding, ImportSource, Removable } from './store-keeper.ts';

export type KeeperRequest =
  | { readonly kind: 'hide-run'; readonly runId: RunId; readonly removable: Removable; readonly events: number | null }
  | { readonly kind: 'find-hidden' }
  | { readonly kind: 'delete-some'; readonly run: number }
  | { readonly kind: 'delete-unnamed'; readonly afterKey: number }
  | { readonly kind: 'free-pages' }
  | { readonly kind: 'rebuild-run'; readonly run: number }
  | { readonly kind: 'begin-import'; readonly runId: RunId }
  | {
      readonly kind: 'add-imported';
      readonly run: number;
      readonly events: readonly JournalEvent[];
      readonly blobs: readonly NewBlob[];
    }
  | {
      readonly kind: 'finish-import';
      readonly run: number;
      readonly runId: RunId;
      readonly source: ImportSource;
    };

export type KeeperReply =
  | { readonly kind: 'hiding'; readonly hiding: Hiding }
  | { readonly kind: 'hidden-runs'; readonly runs: readonly number[] }
  | { readonly kind: 'deleted'; readonly deleted: Deleted; readonly lastKey: number | null }
  | { readonly kind: 'free-pages'; readonly left: number }
  | { readonly kind: 'begun'; readonly run: number }
  | { readonly kind: 'done' };
