import { whoSaid } from '../text/speaker/speaker.ts';
import type { Reason } from './clashes/clash.ts';
import type { Disagreement } from './list-contradictions.ts';

const WORDS: Readonly<Record<Reason, string>> = {
  negation: 'one denies what the other says',
  antonym: 'these words exclude each other',
  number: 'the numbers differ',
  date: 'the times differ',
  version: 'the versions differ',
  name: 'the names differ',
  exclusive_choice: 'only one of them can be chosen',
  preference: 'one likes what the other does not',
  state: 'both cannot be so at once',
};

/** Who says more words that clash says a story; a reader sees it beside the sentence. */
const MOST_PHRASES = 2;

/** A sentence that says why two memories contradict each other. */
export function explanationOf({ contradiction: { reason, topic, clash }, a, b }: Disagreement): string {
  const about = topic === '' ? '' : `About ${topic}: `;
  const quoted = (phrases: readonly string[]) => phrases.map((phrase) => `“${phrase}”`).join(', ');
  const [mine, theirs] = [quoted(clash.a), quoted(clash.b)];
  const isClear = [clash.a, clash.b].every(({ length }) => length > 0 && length <= MOST_PHRASES);
  const says = isClear ? `${whoSaid(a)} says ${mine}, ${whoSaid(b)} says ${theirs}; ` : '';
  const sentence = `${about}${says}${WORDS[reason]}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
