/** The score at a place, 1 being the best; the lowest where there are fewer, 0 where there are none. @complexity O(n log n) */
export function scoreAt(scores: readonly number[], place: number): number {
  // Of numbers alone: a sort of indexes by their scores takes ten times as long.
  const sorted = Float64Array.from(scores).sort();
  return sorted[Math.max(0, sorted.length - place)] ?? 0;
}

/** Indexes of the best scores, the best first, the earlier of two that are alike. */
export function bestOf(scores: readonly number[], count: number): number[] {
  const last = scoreAt(scores, count);
  const indexes: number[] = [];
  scores.forEach((score, index) => {
    if (score >= last) indexes.push(index);
  });
  return indexes.sort((a, b) => (scores[b] as number) - (scores[a] as number)).slice(0, count);
}
