/** TEAM and SHARED are visible to every agent, PRIVATE to the agent that created the memory. */
export const SCOPES = ['TEAM', 'SHARED', 'PRIVATE'] as const;
export type Scope = (typeof SCOPES)[number];
/** Episodic: what was said. Semantic: derived by consolidation from several episodic memories. */
export const KINDS = ['episodic', 'semantic'] as const;
export type Kind = (typeof KINDS)[number];
export type Role = 'user' | 'assistant' | 'system';
/**
 * Where the words of a memory come from, most trusted first: a person; an agent; a tool, whose output anybody may have written;
 * or an import, of which nothing is known.
 */
export const SOURCES_BY_TRUST = ['user', 'assistant', 'tool', 'import'] as const;
export type Source = (typeof SOURCES_BY_TRUST)[number];

export type EntityType =
  | 'person'
  | 'project'
  | 'place'
  | 'organisation'
  | 'identifier'
  | 'version'
  | 'url'
  | 'email'
  | 'tag'
  | 'other';

export interface Entity {
  readonly name: string;
  readonly type: EntityType;
}

/** One memory as the store holds it. Never changed in place: an edit makes a new object, so that a save can keep the old one. */
export interface Memory {
  /** UUIDv7 */
  readonly id: string;
  /** The text that answers show. */
  readonly gist: string;
  /** The whole message. */
  readonly content: string;
  /** Whether somebody edited the gist; recall then searches the gist only. */
  readonly gistEdited: boolean;
  readonly tags: readonly string[];
  /** 0..1 */
  readonly importance: number;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly scope: Scope;
  /** The project that it belongs to; null: none, and every project sees it. */
  readonly project: string | null;
  readonly kind: Kind;
  readonly role: Role | null;
  /** The speaker, where it is not the agent. */
  readonly name: string | null;
  readonly source: Source;
  readonly entities: readonly Entity[];
  /** When it was said, epoch milliseconds. */
  readonly createdAt: number;
  /** Last change of the text or of a field that a caller may set, epoch milliseconds. */
  readonly updatedAt: number;
  /** Ids that a semantic memory was derived from. */
  readonly sources: readonly string[];
  readonly consolidatedInto: string | null;
  readonly supersededBy: string | null;
  /** Why `supersededBy` is set; null where it is not, or an earlier version set it. */
  readonly supersession: Act | null;
  /** What it says holds from here, epoch milliseconds; null: it always has. */
  readonly validFrom: number | null;
  /** What it says holds until here, epoch milliseconds, exclusive; null: it still does. */
  readonly validUntil: number | null;
  /** Who ended its validity; null: nobody but perhaps the agent that told it. */
  readonly invalidation: Act | null;
  /** From here on it is gone, epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The idempotency key of the message, unique for its agent. */
  readonly idempotencyKey: string | null;
  /**
   * What messages told under idempotency keys that the memory itself does not tell, the latest last: each that repeated its words, and the
   * first where it superseded others. Absent: none.
   */
  readonly tellings?: readonly Telling[];
  /** The memories that this one absorbed, whole, so that nothing of them is lost. Absent: none. */
  readonly absorbed?: readonly AbsorbedMemory[];
  /** Its own tags, entities and importance, without those of the absorbed memories; present beside `absorbed` only. */
  readonly own?: Pick<Memory, 'tags' | 'entities' | 'importance'>;
}

/** What a message said under an idempotency key, to know a retry by. */
export interface Telling {
  readonly key: string;
  /** By field of the contract a digest of what it said there. */
  readonly said: Readonly<Record<string, string>>;
}

/** What an agent did to a memory, and why. */
export interface Act {
  readonly agentId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly reason: string;
}

/** What a memory has that nothing supersedes. */
export const NOT_SUPERSEDED = { supersededBy: null, supersession: null } as const satisfies Partial<Memory>;
/** When what a memory says holds, and until when it is kept. */
export type Validity = Pick<Memory, 'validFrom' | 'validUntil' | 'expiresAt'>;

/** The validity of what holds for good. */
export const FOR_GOOD: Validity = { validFrom: null, validUntil: null, expiresAt: null };
/** What a memory has that has always held and does so for good. */
export const ALWAYS_VALID = { ...FOR_GOOD, invalidation: null } satisfies Partial<Memory>;

/** What names an idempotency key: each agent has its own in each project. */
export type Keyed = Pick<Memory, 'agentId' | 'project' | 'idempotencyKey'>;

/** Equal for two idempotency keys exactly when one agent has both in one project, and they are the same. */
export function nameOfKey({ agentId, project, idempotencyKey }: Keyed): string {
  return JSON.stringify([agentId, project, idempotencyKey]);
}

/** A near duplicate that another memory absorbed. Its id leads to that memory. */
export interface AbsorbedMemory {
  readonly memory: Memory;
  readonly strength: Readonly<Strength>;
}

/** All idempotency keys that lead to a memory: of what told it, of what repeated its words, and of those that it absorbed. */
export function keysOf({ agentId, project, idempotencyKey, tellings = [], absorbed = [] }: Memory): readonly Keyed[] {
  const keys = new Set([...(idempotencyKey === null ? [] : [idempotencyKey]), ...tellings.map(({ key }) => key)]);
  const own = [...keys].map((key) => ({ agentId, project, idempotencyKey: key }));
  return [...own, ...absorbed.flatMap((one) => keysOf(one.memory))];
}

/** A memory as it was, with all keys that it has got since. */
export function withKeysOf(memory: Memory, present: Memory): Memory {
  const { tellings: _, ...alone } = memory;
  const parts = new Map((present.absorbed ?? []).map((one) => [one.memory.id, one.memory]));
  const absorbed = memory.absorbed?.map((one) => {
    const now = parts.get(one.memory.id);
    return now ? { ...one, memory: withKeysOf(one.memory, now) } : one;
  });
  return {
    ...alone,
    idempotencyKey: present.idempotencyKey,
    ...(present.tellings && { tellings: present.tellings }),
    ...(absorbed && { absorbed }),
  };
}

/** The ids of all memories whose words it holds: its own, and those that it absorbed. */
export function idsOfWords({ id, absorbed = [] }: Pick<Memory, 'id' | 'absorbed'>): readonly string[] {
  return [id, ...absorbed.map(({ memory }) => memory.id)];
}

/** The effect of recalls on a memory. It changes often, so it is kept apart from the memory and written by snapshots only. */
export interface Strength {
  /** The last recall that counted, epoch milliseconds. */
  lastRecalledAt: number | null;
  recallCount: number;
  /** Days after which retention has fallen to 0.9; grows with each spaced recall. */
  stabilityDays: number;
  /** Who recalled it last: each agent once, the latest first; absent where nobody is known. */
  recalledBy?: readonly RecalledBy[];
}

/** The last recall of a memory by an agent. */
export interface RecalledBy {
  readonly agentId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A memory in the archive of the pruned, with its strength. */
export interface PrunedMemory {
  readonly memory: Memory;
  readonly strength: Readonly<Strength>;
  /** Epoch milliseconds. */
  readonly prunedAt: number;
}

/** The text that recall searches: the whole message, or the gist that somebody edited. */
export function recallText(memory: Pick<Memory, 'gist' | 'content' | 'gistEdited'>): string {
  return memory.gistEdited ? memory.gist : memory.content;
}

/** The source of a message that names none: the user for the role of the user, else the agent. */
export function sourceOf(role: Role | null): Source {
  return role === 'user' ? 'user' : 'assistant';
}

/** Whether a source is trusted at least as much as another. */
export function isTrusted(source: Source, least: Source): boolean {
  return SOURCES_BY_TRUST.indexOf(source) <= SOURCES_BY_TRUST.indexOf(least);
}

export function leastTrusted(sources: readonly Source[]): Source {
  return SOURCES_BY_TRUST.findLast((source) => sources.includes(source)) as Source;
}
