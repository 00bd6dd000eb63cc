import { isDeepStrictEqual } from 'node:util';
import type { MemoryHistory } from '../memory/history.ts';
import type { Memory } from '../memory/memory.ts';

/** What a message has that its memory does not tell. */
export interface KeyedMessage {
  /** null: estimated */
  readonly importance: number | null;
  /** null: it says nothing of when it was said */
  readonly timestampMs: number | null;
  /** Whether the key was made of the words, and the rest may differ from one attempt to the next. */
  readonly isKeyOfWords: boolean;
}

/** What a message says of itself, under the names of the contract. Session and time may differ: a repeat may come later, from another one. */
const SAID = {
  role: ({ role }: Memory) => role,
  name: ({ name }: Memory) => name,
  source: ({ source }: Memory) => source,
  scope: ({ scope }: Memory) => scope,
  tags: ({ tags }: Memory) => [...tags].sort(),
  valid_from: ({ validFrom }: Memory) => validFrom,
  valid_until: ({ validUntil }: Memory) => validUntil,
  expires_at: ({ expiresAt }: Memory) => expiresAt,
  // As JSON: what was stored has been through it, and -0 has become 0.
  metadata: ({ metadata }: Memory) => JSON.parse(JSON.stringify(metadata)),
} satisfies Record<string, (memory: Memory) => unknown>;

/**
 * The fields in which a message under a known key differs from the one that was stored under it, whatever has become of that memory since.
 * @param about.known the memory of the key @param about.memory what the message would be
 */
export async function toldOtherwise(
  history: MemoryHistory | null,
  { known, memory, message }: { known: Memory; memory: Memory; message: KeyedMessage },
): Promise<readonly string[]> {
  if (known.content !== memory.content) return ['content'];
  if (message.isKeyOfWords) return [];
  const told = await oldestKnown(history, known);
  if (!isAsTold(told, { history, message, nowMs: memory.updatedAt })) return [];
  const differing = Object.entries(SAID).filter(([, of]) => !isDeepStrictEqual(of(told), of(memory)));
  // One that was left out is estimated, by all that is known at the moment.
  const isOtherImportance = message.importance !== null && message.importance !== told.importance;
  return [...differing.map(([field]) => field), ...(isOtherImportance ? ['importance'] : [])];
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
