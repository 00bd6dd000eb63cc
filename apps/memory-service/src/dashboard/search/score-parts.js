/** A score divided among its reasons. Pure. */

/**
 * The parts of a score in whole hundredths, which add up to the score as it is written with two decimals: what rounding leaves goes
 * to the largest remainders.
 * @param {number} score 0 to 1 @param {readonly number[]} parts that add up to it; below 0 for what is taken off @returns {number[]}
 */
export function hundredthsOf(score, parts) {
  const whole = Math.round(Number(score.toFixed(2)) * 100);
  const exact = parts.map((part) => part * 100);
  const hundredths = exact.map(Math.floor);
  const left = whole - hundredths.reduce((total, part) => total + part, 0);
  const byRemainder = exact
    .map((part, place) => ({ place, remainder: part - Math.floor(part) }))
    .sort((a, b) => b.remainder - a.remainder);
  for (const { place } of byRemainder.slice(0, left)) hundredths[place] = (hundredths[place] ?? 0) + 1;
  return hundredths;
}
