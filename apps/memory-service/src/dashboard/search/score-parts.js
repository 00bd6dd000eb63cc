/** A score divided among its reasons. Pure. */

/**
 * The parts of a score in proportion to what each reason gave, in whole hundredths that add up to the rounded score (largest
 * remainder). The API tells what a reason gave before the sum is divided by the best that can be reached, so it is no part yet.
 * @param {number} score 0 to 1 @param {readonly number[]} given below 0 for what speaks against it @returns {number[]} all 0 where the reasons speak against it together
 */
export function hundredthsOf(score, given) {
  const sum = given.reduce((total, value) => total + value, 0);
  if (sum <= 0) return given.map(() => 0);
  const whole = Math.round(Number(score.toFixed(2)) * 100);
  const exact = given.map((value) => (value / sum) * whole);
  const parts = exact.map(Math.floor);
  const left = whole - parts.reduce((total, part) => total + part, 0);
  const byRemainder = exact
    .map((part, place) => ({ place, remainder: part - Math.floor(part) }))
    .sort((a, b) => b.remainder - a.remainder);
  for (const { place } of byRemainder.slice(0, left)) parts[place] = (parts[place] ?? 0) + 1;
  return parts;
}
