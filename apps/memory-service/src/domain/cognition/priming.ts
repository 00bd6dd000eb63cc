import type { Caller } from '@agent-faculties/agent-identity';
import type { EntityLink, EntityLinks } from './entity-links.ts';
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
/** Sorting them at each mention would cost more than all the rest of an ingest: half as many again may come together meanwhile. */
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

  /** Something that names these entities was said, asked or recalled; one that several name stands there several times. */
  async mention(keys: readonly string[], { caller, now }: SessionContext): Promise<void> {
    if (keys.length === 0) return;
    const distinct = [...new Set(keys)];
    const links = await this.#links.linksOf(distinct, caller.agentId, { newest: SPREAD_THROUGH });
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
   * 0..1 for each of several memories: how much the session's talk of the last minutes is linked to it.
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
    const fans = await this.#links.fansOf(warm, caller.agentId);
    const levels = new Map<string, number>();
    for (const [i, key] of warm.entries()) {
      const activation = active.get(key);
      if (activation) levels.set(key, levelAt(activation, now) * fanPenalty(fans[i] as number));
    }
    return entityKeys.map((keys) => 1 - Math.exp(-keys.reduce((sum, key) => sum + (levels.get(key) ?? 0), 0)));
  }
}

/** 1 for what one memory names, falling with the logarithm of how many do. */
function fanPenalty(fan: number): number {
  return 1 / (1 + Math.log(Math.max(1, fan)));
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
