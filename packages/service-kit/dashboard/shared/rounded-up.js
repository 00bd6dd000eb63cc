/** The scale of a chart. Pure. */

/** The digits of a round number, close enough that a chart is filled. */
const ROUND = [1, 2, 3, 4, 5, 6, 8, 10];

/** The least round number that is not below a value. @param {number} value */
export function roundedUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ROUND.map((step) => step * power).find((step) => step >= value - 1e-9) ?? value;
}
