import type { Caller } from '@agent-faculties/agent-identity';
import type { EntityLinks } from './entity-links.ts';
import { SessionMap } from './session-map.ts';

/** After so long half of the activation is left: a topic stays warm for minutes, as in a talk between people. */
const HALF_LIFE_MS = 5 * 60_000;
/** What is left below this is dropped: about half an hour after the mention. */
const NEGLIGIBLE = 0.01;
/** Of the activation of an entity that reaches those named beside it (ACT-R lets spreading activation fall likewise). */
const SPREAD = 0.3;
/** Memories of an entity through which activation spreads: the newest. */
const SPREAD_THROUGH = 10;
/** Entities of one session; the weakest go first. */
const MOST_ENTITIES = 200;
/** Sorting them at each mention would cost more than all the rest of an ingest: half as many again may gather meanwhile. */
const SORTED_FROM = 300;
/** As for working memory. */
const MOST_SESSIONS = 10_000;

interface Activation {
  level: number;
  /** Epoch milliseconds. */
  at: number;
}

/** Whose session something happens in, and when. */
export interface SessionContext {
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Which memories the caller sees. */
  readonly sees: (ordinal: number) => boolean;
}

/**
 * What was just mentioned or recalled makes what is linked to it easier to recall: for minutes, and in that session only.
 * Entities carry the activation. It spreads to entities that are named in the same memories, the less, the more memories
 * name the source (the fan effect: Anderson, 1974).
 */
export class Priming {
  readonly #links: EntityLinks;
  readonly #sessions: SessionMap<Map<string, Activation>>;

  constructor({ entities, mostSessions = MOST_SESSIONS }: { entities: EntityLinks; mostSessions?: number }) {
    this.#links = entities;
    this.#sessions = new SessionMap({ most: mostSessions });
  }

  /** Keys of the entities that a text names and the caller knows. */
  namedIn(text: string, { agentId }: Caller): readonly string[] {
    return this.#links.namedIn(text, agentId);
  }

  /** Something was said or asked that names these entities. */
  mention(namedKeys: readonly string[], sessionContext: SessionContext): void {
    for (const key of namedKeys) this.#activate(key, sessionContext);
  }

  /** A memory was recalled. */
  recalled(ordinal: number, sessionContext: SessionContext): void {
    for (const key of this.#links.keysOf(ordinal)) this.#activate(key, sessionContext);
  }

  /** 0..1: how much the session's talk of the last minutes is linked to a memory. */
  of(ordinal: number, { caller, now }: Omit<SessionContext, 'sees'>): number {
    const active = this.#sessions.get(caller);
    if (!active) return 0;
    let sum = 0;
    for (const key of this.#links.keysOf(ordinal)) {
      const activation = active.get(key);
      if (activation) sum += levelAt(activation, now) * this.#fanPenalty(key, caller.agentId);
    }
    return 1 - Math.exp(-sum);
  }

  #activate(key: string, sessionContext: SessionContext): void {
    const { caller, now, sees } = sessionContext;
    const active = this.#sessions.getOrCreate(caller, () => new Map());
    raise(active, { key, by: 1, now });
    const spread = SPREAD * this.#fanPenalty(key, caller.agentId);
    let through = 0;
    for (const ordinal of this.#links.linkedTo(key, sees)) {
      for (const other of this.#links.keysOf(ordinal))
        if (other !== key) raise(active, { key: other, by: spread, now });
      if (++through === SPREAD_THROUGH) break;
    }
    forgetWeakest(active, now);
  }

  /** 1 for what one memory names, falling with the logarithm of how many do. */
  #fanPenalty(key: string, callerAgentId: string): number {
    return 1 / (1 + Math.log(Math.max(1, this.#links.fan(key, callerAgentId))));
  }
}

function levelAt({ level, at }: Activation, now: number): number {
  return level * 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
}

/** Activations of one source do not add up without bound: a mention brings it up to 1 at most. */
function raise(active: Map<string, Activation>, { key, by, now }: { key: string; by: number; now: number }): void {
  const before = active.get(key);
  active.set(key, { level: Math.min(1, (before ? levelAt(before, now) : 0) + by), at: now });
}

function forgetWeakest(active: Map<string, Activation>, now: number): void {
  if (active.size < SORTED_FROM) return;
  const strongest = [...active]
    .map(([key, activation]) => ({ key, level: levelAt(activation, now) }))
    .sort((a, b) => b.level - a.level);
  for (const [rank, { key, level }] of strongest.entries()) {
    if (rank >= MOST_ENTITIES || level < NEGLIGIBLE) active.delete(key);
  }
}
