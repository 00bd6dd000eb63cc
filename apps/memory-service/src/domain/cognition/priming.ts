import type { Caller } from '@agent-faculties/agent-identity';
import { viewerOf } from '../memory/visibility.ts';
import type { EntityLink, EntityLinks } from './entity-links.ts';
import { SessionMap } from './session-map.ts';

/** Half-life of an activation: a topic stays active for minutes, as in a talk between people. */
const HALF_LIFE_MS = 5 * 60_000;
/** A lower activation is dropped, about half an hour after the mention. */
const NEGLIGIBLE = 0.01;
/** The share of an entity's activation that reaches the entities named beside it (ACT-R reduces spreading activation likewise). */
const SPREAD = 0.3;
/** The number of memories of an entity through which activation spreads; the newest ones. */
const SPREAD_THROUGH = 10;
/** The most entities of one session; the weakest are dropped first. */
const MOST_ENTITIES = 200;
/** Half as many again may accumulate before they are sorted: sorting at each mention would cost more than the rest of an ingest. */
const SORTED_FROM = 300;
/** Sessions kept, as for working memory. */
const MOST_SESSIONS = 10_000;

interface Activation {
  level: number;
  /** Epoch milliseconds. */
  at: number;
}

/** The session of an event, and its time. */
export interface SessionContext {
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Spreading activation: recent mentions and recalls make linked memories easier to recall, for minutes and in that session only.
 * Entities carry the activation. It spreads to entities in the same memories, less the more memories name the source (the fan
 * effect: Anderson, 1974).
 */
export class Priming {
  readonly #links: EntityLinks;
  readonly #sessions: SessionMap<Map<string, Activation>>;

  constructor({ entities, mostSessions = MOST_SESSIONS }: { entities: EntityLinks; mostSessions?: number }) {
    this.#links = entities;
    this.#sessions = new SessionMap({ most: mostSessions });
  }

  /** Notes that a message, question or recall named these entities; an entity that several memories name is repeated. */
  async mention(keys: readonly string[], { caller, now }: SessionContext): Promise<void> {
    if (keys.length === 0) return;
    const distinct = [...new Set(keys)];
    const links = await this.#links.linksOf(distinct, viewerOf(caller), { newest: SPREAD_THROUGH });
    const linkOf = new Map(distinct.map((key, i) => [key, links[i] as EntityLink]));
    const active = this.#sessions.getOrCreate(caller, () => new Map());
    for (const key of keys) {
      raise(active, { key, by: 1, now });
      const { fan, namedTogether } = linkOf.get(key) as EntityLink;
      const by = SPREAD * fanPenalty(fan);
      for (const others of namedTogether) {
        for (const other of others) if (other !== key) raise(active, { key: other, by, now });
      }
      forgetWeakest(active, now);
    }
  }

  /**
   * For each of several memories how strongly it is linked to what the session mentioned in the last minutes, 0..1.
   * @param entityKeys of each memory
   */
  async levelsOf(
    entityKeys: readonly (readonly string[])[],
    { caller, now }: SessionContext,
  ): Promise<readonly number[]> {
    const active = this.#sessions.get(caller);
    if (!active) return entityKeys.map(() => 0);
    const named = new Set<string>();
    for (const keys of entityKeys) for (const key of keys) if (active.has(key)) named.add(key);
    const warm = [...named];
    const fans = await this.#links.fansOf(warm, viewerOf(caller));
    const levels = new Map<string, number>();
    for (const [i, key] of warm.entries()) {
      const activation = active.get(key);
      if (activation) levels.set(key, levelAt(activation, now) * fanPenalty(fans[i] as number));
    }
    return entityKeys.map((keys) => 1 - Math.exp(-keys.reduce((sum, key) => sum + (levels.get(key) ?? 0), 0)));
  }
}

/** The fan effect: 1 for an entity that one memory names, lower with the logarithm of the number of memories. */
function fanPenalty(fan: number): number {
  return 1 / (1 + Math.log(Math.max(1, fan)));
}

function levelAt({ level, at }: Activation, now: number): number {
  if (at >= now) return level;
  return level * 0.5 ** ((now - at) / HALF_LIFE_MS);
}

/** Adds an activation; the sum is 1 at most. */
function raise(active: Map<string, Activation>, { key, by, now }: { key: string; by: number; now: number }): void {
  const activation = active.get(key);
  if (!activation) {
    active.set(key, { level: Math.min(1, by), at: now });
    return;
  }
  activation.level = Math.min(1, levelAt(activation, now) + by);
  activation.at = now;
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
