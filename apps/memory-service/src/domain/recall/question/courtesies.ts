import { asksByMark, sentencesOf } from './asking-part.ts';
import { asksSomething } from './asks.ts';

/** A longer text is no question with a greeting. */
const MOST_CHARACTERS = 1_000;
/** "Hi Ann,", "Good morning!": with the name of who is asked, and of nobody who is asked about. */
const GREETING =
  /^\W*(?:[Hh](?:i|ello|ey)|HI|(?:[Gg]ood )?(?:[Mm]orning|[Aa]fternoon|[Ee]vening)|[Gg]ood day)(?: (?:\p{Lu}[\p{L}'’-]*|again|all|and|claude|everybody|everyone|folks|guys|team|there))*\s*[,!.]\s*/u;
const THANKS =
  /^\W*(?:(?:many |so )?thanks?(?: you)?|thx|cheers|much appreciated)(?: (?:so|very))?(?: much| a lot| again)?(?: in advance| for (?:any|the|your) \p{L}+)?(?:,? \p{Lu}[\p{L}'’-]*)?\W*$/iu;
const WORD = /[\p{L}\p{N}'’-]+/gu;
/** Words of sentences that say how to answer, or that an answer is wanted, and nothing of what is asked. */
const OF_THE_FORM = new Set(
  `a an and answer answers as asap be brief briefly bullet bullets by can concise day detail details english explanation explanations
  few for format friendly give help i i'd important in is it it's just keep know like line lines list make me my need no now of ok okay one only
  or plan please points question quick quickly reply respond response sentence sentences short simple simply so soon sorry table that the
  them this three to two urgent urgently use very want week with word words would yes you your`.split(/\s+/),
);

/**
 * A question without the courtesies around it: "What is on today?" of "Good morning! What is on today? Please keep it short." They tell
 * nothing of what is asked, and hide its form. A text that asks nothing, or tells anything else, stays as it is.
 */
export function withoutCourtesies(query: string): string {
  if (query.length > MOST_CHARACTERS) return query;
  const text = query.replace(GREETING, '');
  const sentences = sentencesOf(text);
  const telling = sentences.filter((sentence) => !isCourtesy(sentence));
  if (text === query && telling.length === sentences.length) return query;
  const question = telling.join(' ');
  return asksSomething(question) ? question : query;
}

function isCourtesy(sentence: string): boolean {
  if (asksByMark(sentence)) return false;
  return THANKS.test(sentence) || (sentence.toLowerCase().match(WORD) ?? []).every((word) => OF_THE_FORM.has(word));
}
