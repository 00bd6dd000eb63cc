/** TEAM and SHARED are visible to every agent, PRIVATE to the agent that created the memory. */
export const SCOPES = ['TEAM', 'SHARED', 'PRIVATE'] as const;
export type Scope = (typeof SCOPES)[number];
/** Episodic: what was said. Semantic: what consolidation derived from several episodic ones. */
export const KINDS = ['episodic', 'semantic'] as const;
export type Kind = (typeof KINDS)[number];
export type Role = 'user' | 'assistant' | 'system';
/**
 * Where words come from, most trusted first: a person said them; an agent said or concluded them; a tool returned them, so that
 * anybody may have written them; or they were brought in from elsewhere, and nobody here knows.
 */
export const ORIGINS = ['user', 'assistant', 'tool', 'import'] as const;
export type Origin = (typeof ORIGINS)[number];

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

/** One memory as it is kept. Never changed in place: an edit makes another object, so that a save can hold on to this one. */
export interface Memory {
  /** UUIDv7 */
  readonly id: string;
  /** The text that is recalled. */
  readonly gist: string;
  /** The message whole. */
  readonly content: string;
  /** Whether somebody changed the gist; it is then the only text that recall knows. */
  readonly gistEdited: boolean;
  readonly tags: readonly string[];
  /** 0..1 */
  readonly importance: number;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly scope: Scope;
  readonly kind: Kind;
  readonly role: Role | null;
  /** Who spoke, where that is not the agent. */
  readonly name: string | null;
  readonly source: Origin;
  readonly entities: readonly Entity[];
  /** When it was said, epoch milliseconds. */
  readonly createdAt: number;
  /** Last change of the text or the fields that a caller may set, epoch milliseconds. */
  readonly updatedAt: number;
  /** Ids that a semantic memory was derived from. */
  readonly sources: readonly string[];
  readonly consolidatedInto: string | null;
  readonly supersededBy: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Of the message, unique for its agent. */
  readonly idempotencyKey: string | null;
  /** Others that said the same and became one with this; whole, so that nothing of them is lost. Absent: none. */
  readonly absorbed?: readonly AbsorbedMemory[];
  /** What it has without those; beside `absorbed` only. */
  readonly own?: Pick<Memory, 'tags' | 'entities' | 'importance'>;
}

/** A memory that became one with another that says the same. Its id leads to that one. */
export interface AbsorbedMemory {
  readonly memory: Memory;
  readonly strength: Readonly<Strength>;
}

/** What recalling did to a memory. Changes often, so it is kept apart and saved with snapshots only. */
export interface Strength {
  /** Epoch milliseconds of the last recall that counted. */
  lastRecalledAt: number | null;
  recallCount: number;
  /** Days after which retention has fallen to 0.9; grows with each spaced recall. */
  stabilityDays: number;
}

/** The text that recall works on: the whole message, or what somebody put in its place. */
export function recallText(memory: Pick<Memory, 'gist' | 'content' | 'gistEdited'>): string {
  return memory.gistEdited ? memory.gist : memory.content;
}

/** Of a message that does not say: what no person said is the agent's. */
export function originOf(role: Role | null): Origin {
  return role === 'user' ? 'user' : 'assistant';
}

/** Whether words of this source are trusted at least as those of another. */
export function isTrusted(source: Origin, least: Origin): boolean {
  return ORIGINS.indexOf(source) <= ORIGINS.indexOf(least);
}

export function leastTrusted(sources: readonly Origin[]): Origin {
  return ORIGINS.findLast((source) => sources.includes(source)) as Origin;
}
