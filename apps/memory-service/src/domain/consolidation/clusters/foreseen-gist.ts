import type { MemoryStore } from '../../memory/memory-store.ts';
import { byTime } from '../../memory/order-of-time.ts';
import { semanticGist } from '../../text/gist/semantic-gist.ts';

/** What a cluster of these memories would say, as far as they are still there. */
export async function foreseenGist(store: Pick<MemoryStore, 'find'>, sources: readonly string[]): Promise<string> {
  const stored = await Promise.all(sources.map((id) => store.find(id)));
  const memories = stored.flatMap((one) => (one === null ? [] : [one.memory])).sort(byTime);
  return semanticGist(memories);
}
