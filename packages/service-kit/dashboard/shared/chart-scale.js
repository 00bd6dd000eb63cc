/** The scale of a chart. Pure. */

/** The digits of a round number, close enough that a chart is filled. */
const ROUND = [1, 2, 3, 4, 5, 6, 8, 10];

/** The least round number that is not below a value. @param {number} value */
function roundedUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ROUND.map((step) => step * power).find((step) => step >= value - 1e-9) ?? value;
}

/**
 * The values at the upper and at the middle line of a chart of values that are not below 0. Where all are whole numbers, such as
 * counts, so are these: there is no half of a memory. The middle is null where no whole number lies there.
 * @param {number[]} values
 * @returns {{ top: number, middle: number | null }}
 */
export function scaleOf(values) {
  const top = roundedUp(Math.max(...values, 0));
  if (!values.every(Number.isInteger) || top % 2 === 0) return { top, middle: top / 2 };
  return top === 1 ? { top, middle: null } : { top: top + 1, middle: (top + 1) / 2 };
}
