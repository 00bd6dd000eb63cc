// Opens a data directory in this process with the code of the service, to fill it or to time its parts.
import { ContradictionFinder } from '../../apps/memory-service/dist/domain/contradictions/find-contradictions.js';
import { openStore } from '../../apps/memory-service/dist/persistence/open-store.js';
import { openEmbedder } from '../../packages/embeddings/dist/index.js';
import { backgroundAudit, createLog, systemClock, timeOrderedIds } from '../../packages/service-kit/dist/index.js';

const MOST_MEMORIES = 1_000_000;

export const clock = systemClock;
export const ids = timeOrderedIds(systemClock);
export const log = createLog({ name: 'bench', level: 'silent' });

/** As the service has it; nothing is logged. */
export function finderOf(store, { scorer, confirmer = null }) {
  return new ContradictionFinder({ store, history: null, scorer, confirmer, clock, log, audit: backgroundAudit(log) });
}

export function openModel(model) {
  return openEmbedder({ model, offline: true });
}

/** @param dataDir null for a store that keeps nothing on disk */
export function open(dataDir, embedder) {
  const process_ = { pid: process.pid, hostname: 'bench' };
  const model = embedder && { id: embedder.modelId, dimension: embedder.dimension };
  return openStore({ dataDir, model, maxMemories: MOST_MEMORIES, repair: false, clock, log, process: process_ });
}
