/** What a pattern of the contract stands for where requests are validated, and in words that say what to send. */
interface WholeRule {
  readonly pattern: string;
  readonly message: string;
}

/**
 * By the pattern in the contract. That is written so that Python, Go, Java, Rust and JavaScript without the u flag can read it:
 * no \p, no \u and no look-ahead. What it cannot say is that halves of surrogate pairs are refused, too.
 */
const WHOLE_RULES: ReadonlyMap<string, WholeRule> = new Map([
  [
    '^[^\\S\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$',
    { pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]+$', message: 'must not be blank and must hold no control characters' },
  ],
  ['^[^\\x00-\\x1f\\x7f-\\x9f]*$', { pattern: '^[^\\p{Cc}\\p{Cs}]*$', message: 'must hold no control characters' }],
]);

const MESSAGES = new Map(Array.from(WHOLE_RULES.values(), ({ pattern, message }) => [patternFault(pattern), message]));

/** The pattern that requests are validated by, for one of the contract. */
export function wholePattern(pattern: string): string {
  return WHOLE_RULES.get(pattern)?.pattern ?? pattern;
}

/** What the validator says of a pattern, in words where few readers could take the rule from the expression. */
export function patternMessage(message: string): string {
  return MESSAGES.get(message) ?? message;
}

function patternFault(pattern: string): string {
  return `must match pattern "${pattern}"`;
}
