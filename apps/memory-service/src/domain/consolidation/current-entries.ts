import { nextTurn } from '../concurrency/next-turn.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import type { PrunedArchive } from './pruning/pruned-archive.ts';
import type { ClusterEntry, Report } from './report.ts';

interface Deps {
  readonly store: Pick<ConsolidationStore, 'find'>;
  readonly archive: PrunedArchive | null;
}

/** The ids that are looked up in one turn of the event loop, in about 2 ms. */
const IDS_PER_TURN = 5_000;

/**
 * A report with the ids that an agent may see now: a memory in it may have been deleted since, or have become PRIVATE. Ids that the
 * run itself removed stay in it, unless a new memory has such an id.
 */
export async function currentEntries({ store, archive }: Deps, viewer: Viewer, report: Report): Promise<Report> {
  const { deduplicated, created, rebuilt, removed, pruned, skipped } = report;
  const clusters = [...created, ...rebuilt];
  const named = [
    ...deduplicated.flatMap(({ id, absorbed }) => [id, ...absorbed]),
    ...clusters.flatMap(({ id, sources }) => (id === null ? sources : [id, ...sources])),
    ...[...removed, ...pruned, ...skipped].map(({ id }) => id),
  ];
  const { visible, hidden } = await lookUp(store, viewer, named);
  const archived = pruned.length > 0 ? ((await archive?.entries()) ?? []) : [];
  for (const entry of archived) if (isVisibleTo(viewer, entry) && !hidden.has(entry.id)) visible.add(entry.id);
  const isVisible = (id: string) => visible.has(id);
  const cluster = ({ sources, ...entry }: ClusterEntry) => ({ ...entry, sources: sources.filter(isVisible) });
  return {
    ...report,
    deduplicated: deduplicated
      .filter(({ id }) => isVisible(id))
      .map(({ absorbed, ...entry }) => ({ ...entry, absorbed: absorbed.filter(isVisible) })),
    created: created.filter(({ id }) => id === null || isVisible(id)).map(cluster),
    rebuilt: rebuilt.filter(({ id }) => id === null || isVisible(id)).map(cluster),
    removed: removed.filter(({ id }) => !hidden.has(id)),
    pruned: pruned.filter(({ id }) => isVisible(id)),
    skipped: skipped.filter(({ id }) => isVisible(id)),
  };
}

async function lookUp(store: Deps['store'], viewer: Viewer, ids: readonly string[]) {
  const visible = new Set<string>();
  const hidden = new Set<string>();
  for (let start = 0; start < ids.length; start += IDS_PER_TURN) {
    if (start > 0) await nextTurn();
    for (const id of ids.slice(start, start + IDS_PER_TURN)) {
      const memory = (await store.find(id))?.memory;
      if (memory) (isVisibleTo(viewer, memory) ? visible : hidden).add(id);
    }
  }
  return { visible, hidden };
}
