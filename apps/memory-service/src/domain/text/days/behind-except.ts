/** Behind such words stands a time in which something is not: "except on 1 December", "but not in August". */
const EXCEPT =
  /\b(?:except(?:ing)?(?: for)?|excluding|excl\.|apart from|instead of|other than|rather than|(?<!\b(?:if|or|why) )not)(?: (?:during|for|in|on))?(?: the)? $/i;
const LONGEST_BEFORE = 30;

/** Whether a place of a text stands behind words that make an exception of what it names. */
export function isBehindExcept(text: string, at: number): boolean {
  return EXCEPT.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at));
}
