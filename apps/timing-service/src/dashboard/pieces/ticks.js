/** Round values for duration axes. Pure. */

const STEPS_SECONDS = [
  ...[-3, -2, -1, 0].flatMap((exponent) => [1, 2, 5].map((digit) => digit * 10 ** exponent)),
  10,
  20,
  30,
  60,
  120,
  300,
  600,
  1200,
  1800,
  3600,
  7200,
  18_000,
  43_200,
  86_400,
  172_800,
  432_000,
  864_000,
  2_592_000,
];
const COARSE_SECONDS = [0.001, 0.01, 0.1, 1, 10, 60, 600, 3600, 36_000, 86_400, 864_000, 8_640_000];

/**
 * Round durations inside a range of a logarithmic axis, at most `most` of them.
 * @param {number} fromSeconds @param {number} toSeconds @param {number} most
 * @returns {number[]} seconds, ascending
 */
export function durationTicks(fromSeconds, toSeconds, most) {
  const inside = (/** @type {number} */ value) => value >= fromSeconds && value <= toSeconds;
  const fine = STEPS_SECONDS.filter(inside);
  if (fine.length <= most) return fine;
  const coarse = COARSE_SECONDS.filter(inside);
  const candidates = coarse.length >= 3 ? coarse : fine;
  const every = Math.ceil(candidates.length / most);
  return candidates.filter((_, index) => index % every === 0);
}
