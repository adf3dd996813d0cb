// The keeper's handle: speaks to the thread that owns the writing connection.
import { EngineError } from '../../../shared/engine-error.ts';
import type { WorkerLink } from '../worker-link.ts';
import type { WorkerReply } from '../worker-message.ts';
import type { KeeperReply, KeeperRequest } from './keeper-message.ts';
import type { StoreKeeper } from './store-keeper.ts';

type ReplyOf<Kind extends KeeperReply['kind']> = Extract<KeeperReply, { readonly kind: Kind }>;

/** A keeper that speaks through `link`. */
export function createKeeper(link: WorkerLink): StoreKeeper {
  const ask = async <Kind extends KeeperReply['kind']>(kind: Kind, request: KeeperRequest): Promise<ReplyOf<Kind>> => {
    const reply = await link.ask(request);
    if (isOfKind(reply, kind)) return reply;
    throw new EngineError('internal', `The journal's worker answered "${reply.kind}" out of turn.`, {
      remedy: 'Report this.',
    });
  };
  return {
    hide: async (runId, removable, events) =>
      (await ask('hiding', { kind: 'hide-run', runId, removable, events: events ?? null })).hiding,
    findHidden: async () => (await ask('hidden-runs', { kind: 'find-hidden' })).runs,
    deleteSome: async (run) => (await ask('deleted', { kind: 'delete-some', run })).deleted,
    deleteUnnamed: (afterKey) => ask('deleted', { kind: 'delete-unnamed', afterKey }),
    freePages: async () => (await ask('free-pages', { kind: 'free-pages' })).left,
    async rebuild(run) {
      await ask('done', { kind: 'rebuild-run', run });
    },
    beginImport: async (runId) => (await ask('begun', { kind: 'begin-import', runId })).run,
    async addImported(run, events, blobs) {
      await ask('done', { kind: 'add-imported', run, events, blobs });
    },
    async finishImport(run, runId, source) {
      await ask('done', { kind: 'finish-import', run, runId, source });
    },
  };
}

const isOfKind = <Kind extends KeeperReply['kind']>(reply: WorkerReply, kind: Kind): reply is ReplyOf<Kind> =>
  reply.kind === kind;
