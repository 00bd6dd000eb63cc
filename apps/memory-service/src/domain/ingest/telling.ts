import { createHash } from 'node:crypto';
import type { Memory, Telling } from '../memory/memory.ts';
import { wordsKey } from './same-words.ts';

/** What a message has that its memory does not tell. */
export interface KeyedMessage {
  /** null: estimated */
  readonly importance: number | null;
  /** null: it says nothing of when it was said */
  readonly timestampMs: number | null;
  /** Ids of the memories that it supersedes. */
  readonly supersedes: readonly string[];
  /** Whether the key was made of the words, and the rest may differ from one attempt to the next. */
  readonly isKeyOfWords: boolean;
}

/** What a message says of itself, under the names of the contract. Session and time may differ: a repeat may come later, from another one. */
export const SAID = {
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

/** Of one memory: who repeats its words under more keys than these has long stopped to try the first ones again. */
const MOST_TELLINGS = 100;
/** Of a digest. 72 bits: nobody finds by chance another message of the same. */
const DIGEST_CHARACTERS = 12;

/** What a message said under its key. @param about.memory what the message would be, with its key */
export function tellingOf({ memory, message }: { memory: Memory; message: KeyedMessage }): Telling {
  const { importance, supersedes, isKeyOfWords } = message;
  const rest = isKeyOfWords
    ? {}
    : {
        ...Object.fromEntries(Object.entries(SAID).map(([field, of]) => [field, of(memory)])),
        importance,
        supersedes: [...new Set(supersedes)].sort(),
      };
  const said = Object.entries({ content: memory.content, ...rest }).map(([field, value]) => [field, digestOf(value)]);
  return { key: memory.idempotencyKey as string, said: Object.fromEntries(said) };
}

/** The memory with one more telling, where its words are: in the memory itself, or in one that it absorbed. */
export function withTelling(known: Memory, { memory, message }: { memory: Memory; message: KeyedMessage }): Memory {
  const telling = tellingOf({ memory, message });
  const words = wordsKey(memory);
  const keyed = (part: Memory): Memory => ({
    ...part,
    tellings: [...(part.tellings ?? []), telling].slice(-MOST_TELLINGS),
  });
  const { absorbed = [] } = known;
  const holder = absorbed.find((one) => wordsKey(one.memory) === words);
  if (!holder || wordsKey(known) === words) return keyed(known);
  return {
    ...known,
    absorbed: absorbed.map((one) => (one === holder ? { ...one, memory: keyed(one.memory) } : one)),
  };
}

function digestOf(value: unknown): string {
  const json = JSON.stringify(ordered(value));
  return createHash('sha256').update(json).digest('base64url').slice(0, DIGEST_CHARACTERS);
}

/** The same objects have the same JSON, in whatever order their fields came. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // A list, because numbers as names would be sorted anew in an object.
  return { of: fields.map(([name, inner]) => [name, ordered(inner)]) };
}
