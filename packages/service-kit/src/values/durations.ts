/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 86_400_000;
