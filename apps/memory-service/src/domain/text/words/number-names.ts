/** "One" to "twelve", in order: numbers that are mostly written out. */
export const NUMBER_NAMES: readonly string[] = 'one two three four five six seven eight nine ten eleven twelve'.split(
  ' ',
);
