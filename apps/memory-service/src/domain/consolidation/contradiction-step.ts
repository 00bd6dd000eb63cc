import type { Clock } from '@agent-faculties/service-kit';
import type { Contradiction } from '../contradictions/contradiction.ts';
import type { ContradictionStore } from '../contradictions/contradiction-store.ts';
import type { ContradictionFinder } from '../contradictions/find-contradictions.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import { type IdEntry, ownerOf } from './report.ts';

/** How long the step compares; a first scan of a large store takes half an hour and continues in the background. */
const LONGEST_MS = 20_000;

/** Compares waiting memories for a while; resolves to the contradictions found since. */
export function contradictionStep({
  store,
  finder,
  clock,
}: {
  store: ContradictionStore & Pick<ConsolidationStore, 'find'>;
  finder: Pick<ContradictionFinder, 'findContradictions'>;
  clock: Clock;
}): (stopped: () => boolean) => Promise<IdEntry[]> {
  return async (stopped) => {
    const startedAt = clock.now();
    await finder.findContradictions(() => stopped() || clock.now() - startedAt > LONGEST_MS);
    const entries: IdEntry[] = [];
    for await (const { id, a, b } of foundSince(store, Math.floor(startedAt))) {
      const claims = [(await store.find(a))?.memory, (await store.find(b))?.memory].filter(
        (memory) => memory !== undefined,
      );
      // A PRIVATE memory is compared only with memories of its agent.
      const owner = claims.find(({ scope }) => scope === 'PRIVATE') ?? claims[0];
      if (owner) entries.push({ id, owner: ownerOf(owner) });
    }
    return entries;
  };
}

async function* foundSince(store: ContradictionStore, since: number): AsyncGenerator<Contradiction> {
  for await (const batch of store.contradictions()) {
    for (const contradiction of batch) if (contradiction.foundAt >= since) yield contradiction;
  }
}
