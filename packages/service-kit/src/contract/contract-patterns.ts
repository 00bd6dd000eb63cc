/** The full rule that a pattern of the contract stands for. */
interface WholeRule {
  readonly pattern: string;
  readonly message: string;
}

/** A character that is not blank. Joiners, direction marks and fillers are as blank to a reader as a space. */
const VISIBLE = '[^\\s\\p{Default_Ignorable_Code_Point}\\p{Cf}]';

/**
 * Full rules by the pattern in the contract. Patterns there must be readable by Python, Go, Java, Rust and JavaScript without the u flag:
 * no \p, no \u and no look-ahead. Such a pattern cannot refuse halves of surrogate pairs, nor a text of invisible characters alone; the
 * full rule does.
 */
const WHOLE_RULES: ReadonlyMap<string, WholeRule> = new Map([
  ['\\S', { pattern: VISIBLE, message: 'must not be blank' }],
  [
    '^[^\\S\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$',
    {
      pattern: `^(?=.*${VISIBLE})[^\\p{Cc}\\p{Cs}]+$`,
      message: 'must not be blank and must hold no control characters',
    },
  ],
  ['^[^\\x00-\\x1f\\x7f-\\x9f]*$', { pattern: '^[^\\p{Cc}\\p{Cs}]*$', message: 'must hold no control characters' }],
]);

const MESSAGES = new Map(Array.from(WHOLE_RULES.values(), ({ pattern, message }) => [patternFault(pattern), message]));

/** The pattern that requests are validated against, for a pattern of the contract. */
export function wholePattern(pattern: string): string {
  return WHOLE_RULES.get(pattern)?.pattern ?? pattern;
}

/** The validator's message, replaced by words where the pattern is hard to read. */
export function patternMessage(message: string): string {
  return MESSAGES.get(message) ?? message;
}

function patternFault(pattern: string): string {
  return `must match pattern "${pattern}"`;
}
