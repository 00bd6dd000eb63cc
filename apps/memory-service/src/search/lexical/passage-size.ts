import { WINDOW_REACH } from '../threads/thread-index.ts';

/**
 * Terms of a passage: some 80 words of English, as much as a long turn of a conversation has. A text with no more is one
 * passage. Of a longer one the best passage counts, because a long answer holds each word of its subject somewhere.
 */
export const PASSAGE_TERMS = 40;
/** On either side a window holds as many terms as it would of turns of that length. */
export const REACH_TERMS = WINDOW_REACH * PASSAGE_TERMS;
/** A window of more terms is one of long texts. */
export const WINDOW_TERMS = PASSAGE_TERMS + 2 * REACH_TERMS;
