import { isDeepStrictEqual } from 'node:util';
import { fitsMetadata, MOST_TAGS } from '../memory/limits.ts';
import type { Memory } from '../memory/memory.ts';

/** A memory whose words were said again, with what that brought. */
export interface SaidAgain {
  /** The same object where nothing is new. */
  readonly memory: Memory;
  /** Fields of the message that say otherwise than the memory, which keeps what it has: `source`, `metadata.run`. */
  readonly notTaken: readonly string[];
}

/**
 * Adds to a memory what a message with the same words has beside them: other tags, other keys of metadata, a higher importance. What
 * both have keeps the value of the memory. One that was made of words of several agents is left as it is for the words of another one.
 * @param about.importance as the message has it; null: it does not say @param about.nowMs epoch milliseconds
 */
export function withWhatIsNew(
  known: Memory,
  { said, importance, nowMs }: { said: Memory; importance: number | null; nowMs: number },
): SaidAgain {
  const isOwn = known.agentId === said.agentId;
  const otherTags = said.tags.filter((tag) => !known.tags.includes(tag));
  const newTags = isOwn ? otherTags.slice(0, Math.max(0, MOST_TAGS - known.tags.length)) : [];
  const metadata = isOwn ? withKeys(known.metadata, said.metadata) : known.metadata;
  const isHigher = isOwn && importance !== null && importance > known.importance;
  const added = (to: Pick<Memory, 'tags' | 'importance'>) => ({
    ...(newTags.length > 0 && { tags: [...to.tags, ...newTags] }),
    ...(isHigher && { importance }),
  });
  const isNew = newTags.length > 0 || isHigher || metadata !== known.metadata;
  const own = known.own && { own: { ...known.own, ...added(known.own) } };
  const updatedAt = Math.max(nowMs, known.updatedAt + 1);
  return {
    memory: isNew ? { ...known, ...added(known), ...own, metadata, updatedAt } : known,
    notTaken: [
      ...(said.source === known.source ? [] : ['source']),
      ...(importance === null || isHigher || importance === known.importance ? [] : ['importance']),
      ...(otherTags.length > newTags.length ? ['tags'] : []),
      ...Object.keys(said.metadata)
        .filter((key) => !isDeepStrictEqual(metadata[key], said.metadata[key]))
        .map((key) => `metadata.${key}`),
    ],
  };
}

/** The metadata of both; the same object where nothing is new, or there is no room for it. */
function withKeys(known: Memory['metadata'], said: Memory['metadata']): Memory['metadata'] {
  if (Object.keys(said).every((key) => Object.hasOwn(known, key))) return known;
  const both = { ...said, ...known };
  return fitsMetadata(both) ? both : known;
}
