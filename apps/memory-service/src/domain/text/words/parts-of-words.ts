import { type Word, wordsOf } from './words.ts';

/** What joins the parts of an identifier, a path or a compound: POOL_SIZE, project-apollo, user.theme, poolSize. */
const JOINT = /(?<=[\p{L}\p{N}])[-_./:@]+(?=[\p{L}\p{N}])|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu;
const LETTER = /\p{L}/u;

/** The words of a text with the parts of each in its place, in order. A number stays whole: 10.0.3.7, 9:15. */
export function withParts(words: readonly Word[]): Word[] {
  return words.flatMap((word) => (LETTER.test(word.text) ? partsOf(word) : word));
}

/** @returns the word itself where it has no parts; positions are those in the word */
function partsOf(word: Word): Word | Word[] {
  const apart = word.text.replace(JOINT, ' ');
  return apart === word.text ? word : wordsOf(apart);
}
