/** Whether runs take longer or less long than others by more than chance. */

/** 0.5 % of the standard normal distribution lie above: of 100 types that have not changed, one is taken for changed. */
const CLEAR_Z = 2.5758;

/**
 * The z of the rank-sum test of Wilcoxon, Mann and Whitney (Annals of Mathematical Statistics 18, 1947): above 0 where `after` are longer.
 * Two fives that do not overlap are the fewest that can be clear.
 * @param {readonly number[]} before ascending, not empty @param {readonly number[]} after ascending, not empty
 */
export function rankSumZ(before, after) {
  let wins = 0;
  for (let value = 0, below = 0, notAbove = 0; value < after.length; value++) {
    const seconds = after[value] ?? 0;
    while (below < before.length && (before[below] ?? 0) < seconds) below++;
    while (notAbove < before.length && (before[notAbove] ?? 0) <= seconds) notAbove++;
    wins += (below + notAbove) / 2;
  }
  const pairs = before.length * after.length;
  return (wins - pairs / 2) / Math.sqrt((pairs * (before.length + after.length + 1)) / 12);
}

/** @param {readonly number[]} before ascending @param {readonly number[]} after ascending */
export function isClear(before, after) {
  return before.length > 0 && after.length > 0 && Math.abs(rankSumZ(before, after)) > CLEAR_Z;
}
