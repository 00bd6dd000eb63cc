import { DAY_MS } from '@agent-faculties/service-kit';
import type { RecalledBy, Strength } from '../memory/memory.ts';

/** Recalls within this time count as one, because a conversation repeats a fact many times. As in Redis' agent memory (900 s). */
const RECALL_COUNTS_AGAIN_AFTER_MS = 15 * 60_000;
/** Agents that are kept for each memory. */
const MOST_RECALLERS = 8;
/** A century, which is also the longest interval of FSRS. */
const MAX_STABILITY_DAYS = 36_500;

/** The power law of FSRS-4.5; the factor makes retention 0.9 when the age equals the stability. */
const DECAY = -0.5;
const FACTOR = 19 / 81;
/** Default weights w0, w3, w8, w9 and w10 of FSRS-4.5, as in ts-fsrs 3.5.7: fitted to what learners forgot. */
const STABILITY_OF_HARDEST_DAYS = 0.5701;
const STABILITY_OF_EASIEST_DAYS = 10.9355;
const GROWTH = 1.629;
const SATURATION = 0.1342;
const SPACING = 1.0166;

interface Moment {
  /** When the memory was said, epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Strength of a memory that was never recalled. Importance takes the place that the first rating has in FSRS: from the
 * stability after "again" (14 hours) to that after "easy" (11 days), evenly in the logarithm.
 * @param importance 0..1
 */
export function initialStrength(importance: number): Strength {
  const ratio = STABILITY_OF_EASIEST_DAYS / STABILITY_OF_HARDEST_DAYS;
  return { lastRecalledAt: null, recallCount: 0, stabilityDays: STABILITY_OF_HARDEST_DAYS * ratio ** importance };
}

/**
 * Share of the memory that is left, 0..1: (1 + 19/81 * t/S)^-0.5 with t days since the last recall, or since the memory
 * was said. A power law fits forgetting better than an exponential: what is old fades ever more slowly.
 * Source: FSRS-4.5, https://github.com/open-spaced-repetition/fsrs4anki/wiki/The-Algorithm
 */
export function retention(strength: Readonly<Strength>, { createdAt, now }: Moment): number {
  // A message dated in the future counts as new.
  const ageDays = Math.max(0, now - (strength.lastRecalledAt ?? createdAt)) / DAY_MS;
  return (1 + (FACTOR * ageDays) / strength.stabilityDays) ** DECAY;
}

/**
 * Strength after a recall. Stability grows the more, the more was forgotten (the spacing effect), the less stable the
 * memory was, and the more important it is: S * (1 + e^w8 * (11 - D) * S^-w9 * (e^(w10 * (1 - R)) - 1)) with FSRS'
 * difficulty D from 10 (importance 0) to 1 (importance 1).
 * Within 15 minutes of the last recall that counted nothing changes but who recalled it, and where that is known too the same
 * object is returned.
 * Source: FSRS-4.5, as above.
 * @param moment.by the agent that recalls it; absent where it is another act that strengthens
 */
export function strengthened(
  strength: Readonly<Strength>,
  { importance, by, ...moment }: Moment & { readonly importance: number; readonly by?: string },
): Readonly<Strength> {
  const { lastRecalledAt, recallCount, stabilityDays, recalledBy } = strength;
  const isRecent = (at: number | null) => at !== null && moment.now - at < RECALL_COUNTS_AGAIN_AFTER_MS;
  const isKnown = by === undefined || recalledBy?.some(({ agentId, at }) => agentId === by && isRecent(at)) === true;
  const isCounted = isRecent(lastRecalledAt);
  if (isCounted && isKnown) return strength;
  const recallers = by === undefined ? recalledBy : latestRecalls([{ agentId: by, at: moment.now }], recalledBy);
  const who = recallers && { recalledBy: recallers };
  if (isCounted) return { ...strength, ...who };
  const difficulty = 10 - 9 * importance;
  const forgotten = 1 - retention(strength, moment);
  const growth =
    Math.exp(GROWTH) * (11 - difficulty) * stabilityDays ** -SATURATION * (Math.exp(SPACING * forgotten) - 1);
  return {
    lastRecalledAt: moment.now,
    recallCount: recallCount + 1,
    stabilityDays: Math.min(stabilityDays * (1 + growth), MAX_STABILITY_DAYS),
    ...who,
  };
}

/** The last recalls of each agent in any of the lists, the latest first. In any order of the lists it is the same. */
export function latestRecalls(...lists: readonly (readonly RecalledBy[] | undefined)[]): readonly RecalledBy[] {
  const latest = new Map<string, number>();
  for (const { agentId, at } of lists.flatMap((list) => list ?? [])) {
    latest.set(agentId, Math.max(at, latest.get(agentId) ?? at));
  }
  return [...latest]
    .map(([agentId, at]) => ({ agentId, at }))
    .sort((a, b) => b.at - a.at || (a.agentId < b.agentId ? -1 : 1))
    .slice(0, MOST_RECALLERS);
}

/** Merges the strengths of one memory in two stores: the maximum of each field, so that order and repetition do not matter. Returns `a` itself where `b` adds nothing. */
export function stronger(a: Readonly<Strength>, b: Readonly<Strength>): Readonly<Strength> {
  const isLater = (b.lastRecalledAt ?? 0) > (a.lastRecalledAt ?? 0);
  const recalledBy = b.recalledBy ? latestRecalls(a.recalledBy, b.recalledBy) : a.recalledBy;
  const isSame = recalledBy === a.recalledBy || JSON.stringify(recalledBy) === JSON.stringify(a.recalledBy);
  if (!isLater && b.recallCount <= a.recallCount && b.stabilityDays <= a.stabilityDays && isSame) return a;
  return {
    lastRecalledAt: isLater ? b.lastRecalledAt : a.lastRecalledAt,
    recallCount: Math.max(a.recallCount, b.recallCount),
    stabilityDays: Math.max(a.stabilityDays, b.stabilityDays),
    ...(recalledBy && { recalledBy }),
  };
}
