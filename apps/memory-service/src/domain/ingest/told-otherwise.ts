import { isDeepStrictEqual } from 'node:util';
import type { MemoryHistory } from '../memory/history.ts';
import type { Memory } from '../memory/memory.ts';
import { type KeyedMessage, SAID, tellingOf } from './telling.ts';

interface About {
  /** The memory of the key. */
  readonly known: Memory;
  /** What the message would be. */
  readonly memory: Memory;
  readonly message: KeyedMessage;
}

/** The fields in which a message under a known key differs from the one that was told under it, whatever has become of its memory since. */
export async function toldOtherwise(history: MemoryHistory | null, about: About): Promise<readonly string[]> {
  const { known, memory, message } = about;
  const telling = known.tellings?.find(({ key }) => key === memory.idempotencyKey);
  if (telling) return differingFrom(telling.said, about);
  if (known.content !== memory.content) return ['content'];
  if (message.isKeyOfWords) return [];
  const told = await oldestKnown(history, known);
  // The telling of one that superseded others is kept.
  const supersedes = message.supersedes.length > 0 ? ['supersedes'] : [];
  if (!isAsTold(told, { history, message, nowMs: memory.updatedAt })) return supersedes;
  const differing = Object.entries(SAID).filter(([, of]) => !isDeepStrictEqual(of(told), of(memory)));
  // One that was left out is estimated, by all that is known at the moment.
  const isOtherImportance = message.importance !== null && message.importance !== told.importance;
  return [...differing.map(([field]) => field), ...(isOtherImportance ? ['importance'] : []), ...supersedes];
}

/** What a key of words was told with is not kept, but for the words. */
function differingFrom(said: Readonly<Record<string, string>>, { memory, message }: About): readonly string[] {
  const now = tellingOf({ memory, message }).said;
  if (now.content !== said.content) return ['content'];
  return Object.keys(now).filter(
    (field) =>
      said[field] !== undefined &&
      said[field] !== now[field] &&
      (field !== 'importance' || message.importance !== null),
  );
}

/** The memory before its first change that is kept. */
async function oldestKnown(history: MemoryHistory | null, known: Memory): Promise<Memory> {
  const versions = (await history?.versionsOf(known.id)) ?? [];
  const first = versions.find(({ before }) => before !== null)?.before?.memory ?? known;
  return { ...first, ...first.own };
}

/**
 * Whether nothing has changed a memory since it was told. One that was told with a time of its own shows only by the versions that are
 * kept: had it been changed in their time, there would be one from before.
 */
function isAsTold(
  { createdAt, updatedAt }: Memory,
  { history, message, nowMs }: { history: MemoryHistory | null; message: KeyedMessage; nowMs: number },
): boolean {
  if (createdAt === updatedAt) return true;
  return message.timestampMs !== null && history !== null && updatedAt > nowMs - history.keptMs;
}
