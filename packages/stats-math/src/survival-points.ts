import type { OrderedSample } from './ordered-sample.ts';

/**
 * Times to draw a survival curve at: all distinct ones when they fit, otherwise evenly spaced by rank, always with the
 * least and the greatest event and the greatest censored value. At most a quarter goes to censored values, as long as
 * the events need the rest.
 * @param maxPoints at least 3
 * @complexity O(maxPoints log maxPoints)
 */
export function survivalPointTimes(events: OrderedSample, censored: OrderedSample, maxPoints: number): Float64Array {
  const censoredCount = censored.size;
  const censoredShare = Math.min(censoredCount, Math.max(Math.floor(maxPoints / 4), maxPoints - events.size, 1));
  const eventShare = Math.min(events.size, maxPoints - censoredShare);
  const times = new Set<number>();
  for (const index of spreadIndexes(events.size, eventShare)) times.add(events.at(index));
  for (const index of spreadIndexes(censoredCount, censoredShare)) times.add(censored.at(index));
  return Float64Array.from(times).sort();
}

/** `picks` indexes of 0..size-1, evenly spaced from the last one down to the first. */
function spreadIndexes(size: number, picks: number): number[] {
  if (picks <= 1) return picks === 1 ? [size - 1] : [];
  return Array.from({ length: picks }, (_, pick) => Math.round((pick * (size - 1)) / (picks - 1)));
}
