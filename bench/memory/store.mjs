// Opens a data directory with the service's own code, in this process: to fill it, and to time its parts.
import { join } from 'node:path';
import { root } from '../../scripts/lib/root.mjs';
import { SERVICE } from '../../scripts/withstand/memory/lib/memory-service.mjs';

export const built = (path) => import(join(SERVICE, 'dist', path));
const { backgroundAudit, systemClock, timeOrderedIds, createLog } = await import(
  join(root, 'packages/service-kit/dist/index.js')
);
const { openEmbedder } = await import(join(root, 'packages/embeddings/dist/index.js'));
const { openStore } = await built('persistence/open-store.js');

const MOST_MEMORIES = 1_000_000;

export const clock = systemClock;
export const ids = timeOrderedIds(systemClock);
export const log = createLog({ name: 'bench', level: 'silent' });

const { ContradictionFinder } = await built('domain/contradictions/find-contradictions.js');

/** As the service has it; nothing is logged. */
export function finderOf(store, { scorer, confirmer = null }) {
  return new ContradictionFinder({ store, scorer, confirmer, clock, log, audit: backgroundAudit(log) });
}

export function openModel(model) {
  return openEmbedder({ model, offline: true });
}

/** @param dataDir null: nothing is kept on disk */
export function open(dataDir, embedder) {
  const process_ = { pid: process.pid, hostname: 'bench' };
  return openStore({ dataDir, embedder, maxMemories: MOST_MEMORIES, repair: false, clock, log, process: process_ });
}
