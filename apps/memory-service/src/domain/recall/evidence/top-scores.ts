/** The greatest of some numbers, the greatest first. @complexity O(n * count) at worst, mostly O(n) */
export function greatest(values: ArrayLike<number>, count: number): number[] {
  // No typed array, whose memory lies outside the heap: a recall asks fifty times for ten numbers.
  const kept: number[] = [];
  // An iterator would allocate an object for each number.
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (kept.length === count && !(value > (kept[count - 1] as number))) continue;
    let place = kept.length < count ? kept.push(value) - 1 : count - 1;
    for (; place > 0 && (kept[place - 1] as number) < value; place--) kept[place] = kept[place - 1] as number;
    kept[place] = value;
  }
  return kept;
}

/** The score at a rank, where 1 is the best; the lowest score where there are fewer, 0 where there are none. */
export function scoreAt(scores: readonly number[], place: number): number {
  return greatest(scores, Math.min(place, scores.length)).at(-1) ?? 0;
}

/** Indexes of the best scores, best first; of equal scores the earlier index. */
export function bestOf(scores: readonly number[], count: number): number[] {
  const last = scoreAt(scores, count);
  const indexes: number[] = [];
  scores.forEach((score, index) => {
    if (score >= last) indexes.push(index);
  });
  return indexes.sort((a, b) => (scores[b] as number) - (scores[a] as number)).slice(0, count);
}
