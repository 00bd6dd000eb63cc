import { nextTurn } from '../../concurrency/next-turn.ts';
import { readingStep } from '../../concurrency/reading-steps.ts';
import type { Disagreement } from '../../contradictions/list-contradictions.ts';
import type { Memory } from '../../memory/memory.ts';
import type { MemoryStore } from '../../memory/memory-store.ts';
import { isVisibleTo, type Viewer } from '../../memory/visibility.ts';
import { gistFor } from '../../text/gist/gist.ts';
import { toldIn } from '../../text/gist/semantic-gist.ts';
import type { RecalledMemory } from '../ranking/ranking.ts';
import type { Relevance } from '../relevance/relevance.ts';
import { withSuccessors } from '../succession/with-successors.ts';
import { type ContextForm, contextBlock, type Told } from './context-block.ts';

interface ContextRequest {
  /** Those of the question. */
  readonly terms: readonly string[];
  /** The item of a list that it asks for, as `itemAsked` gives it. */
  readonly item: number | null;
  readonly viewer: Viewer;
  readonly memories: readonly RecalledMemory[];
  readonly disagreements: readonly Disagreement[];
  readonly form: ContextForm;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The past moment that the recall asks about, epoch milliseconds; null: the present. */
  readonly heldAt: number | null;
  /** Whether the recall may tell of a memory that it did not find itself. */
  readonly isWanted: (memory: Memory) => boolean;
}

/** The recalled memories as one text, with the other side of each contradiction and the successors of superseded ones. */
export async function recallContext(
  store: Pick<MemoryStore, 'find'>,
  { terms, item, viewer, memories, disagreements, form, now, heldAt, isWanted }: ContextRequest,
): Promise<string> {
  const sides = withOtherSides(memories, disagreements);
  const told = heldAt === null ? await withSuccessors(sides, { find: (id) => store.find(id), isWanted }) : sides;
  return await contextBlock(
    told.map(({ memory, relevance }) => ({ relevance, told: () => toldBy(store, { memory, terms, item, viewer }) })),
    { ...form, disagreements, now, heldAt },
  );
}

/** The memories, each followed by what contradicts it, as relevant as it is. */
function withOtherSides(
  memories: readonly RecalledMemory[],
  disagreements: readonly Disagreement[],
): { memory: Memory; relevance: Relevance }[] {
  const known = new Set(memories.map(({ stored }) => stored.memory.id));
  return memories.flatMap(({ stored: { memory }, relevance }) => {
    const sides = disagreements.flatMap(({ a, b }) => (a.id === memory.id ? b : b.id === memory.id ? a : []));
    const others = sides.filter(({ id }) => !known.has(id));
    for (const { id } of others) known.add(id);
    return [memory, ...others].map((one) => ({ memory: one, relevance }));
  });
}

/** The lines of a memory in a context; of a derived memory a line for each source, as far as the sources are known. */
async function toldBy(
  store: Pick<MemoryStore, 'find'>,
  { memory, terms, item, viewer }: Pick<ContextRequest, 'terms' | 'item' | 'viewer'> & { readonly memory: Memory },
): Promise<readonly Told[]> {
  if (memory.kind !== 'semantic') return [{ memory, text: await shownOf(memory, { terms, item }) }];
  const whole = [{ memory, text: memory.gist }];
  const sources = await Promise.all(memory.sources.map((id) => store.find(id)));
  const seen = sources.flatMap((stored) => (stored && isVisibleTo(viewer, stored.memory) ? stored.memory : []));
  return toldIn(memory.gist, seen) ?? whole;
}

/** The gist; of a long message what it says of the question, where it has words of it. */
async function shownOf(memory: Memory, { terms, item }: Pick<ContextRequest, 'terms' | 'item'>): Promise<string> {
  const { gist, content, gistEdited } = memory;
  if (gistEdited || gist.length === content.trim().length) return gist;
  // Each takes about a millisecond.
  await nextTurn();
  return (await readingStep(content, () => gistFor(terms, content, item))) ?? gist;
}
