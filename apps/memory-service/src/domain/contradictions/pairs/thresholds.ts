/** The score at and above which two memories count as a contradiction, where a request does not say: eight of ten reports are right. */
export const DEFAULT_THRESHOLD = 0.6;
/** From this score on, more than nine of ten reports on most labelled sets are right, three of four on the worst: docs/benchmarks/contradictions.md. */
export const HIGH_CONFIDENCE = 0.78;
/** The least score of a finding that is kept, whatever the threshold of a request. */
export const LEAST_SCORE = 0.3;
/**
 * The highest score of a finding that the confirming model does not confirm: below the default threshold, and kept, since a
 * request may ask for it.
 */
export const UNCONFIRMED_SCORE = 0.45;
