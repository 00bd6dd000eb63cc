import { stemOf } from '../../text/words/words.ts';
import type { Statement } from '../statements/statement.ts';

/**
 * Whether one statement is about somebody or about the speaker, and the other one about a relative of theirs or somebody near to them:
 * "Hanne has two brothers" and "Hanne's husband has four brothers", "I weigh 71 kilos" and "my brother weighs 84".
 */
export function isOneOfRelative(a: Statement, b: Statement): boolean {
  return isOfRelativeOf(a, b) || isOfRelativeOf(b, a);
}

function isOfRelativeOf({ text }: Statement, other: Statement): boolean {
  const { whose = '', relative, rest = '' } = RELATIVE.exec(text)?.groups ?? {};
  // "Anouk's husband: Rafael" says to whom she is married.
  if (relative === undefined || GIVES_NAME.test(rest) || names(other, relative)) return false;
  return OWN.test(whose) ? SPEAKER.test(other.text) : names(other, whose);
}

function names({ words }: Statement, name: string): boolean {
  return words.some(({ stem }) => stem === stemOf(name.toLowerCase()));
}

const PEOPLE =
  '(?:brother|sister|twin|husband|wife|spouse|partner|girlfriend|boyfriend|mother|father|mum|mom|dad|parent|son|daughter|kid|child|children|cousin|uncle|aunt|niece|nephew|grand(?:mother|father|parent|son|daughter|child|ma|pa)|neighbou?r|friend|flatmate|roommate|colleague|boss)s?(?!\\p{L})';
/** "She's my sister" and "Ann's a friend" say who somebody is. */
const NO_OWNER = "(?:he|she|it|that|this|there|here|who|what|let)['’]";
const NO_ADJECTIVE = '(?:my|our|your|his|her|their|a|an|the|no|not) ';
const RELATIVE = new RegExp(
  `^(?<whose>my|our|his|her|their|(?!${NO_OWNER})\\p{Lu}[\\p{L}-]+(?=['’]))(?:['’]s?)? (?!${NO_ADJECTIVE})(?:\\p{L}+ )?(?<relative>${PEOPLE})(?<rest>.*)$`,
  'isu',
);
const OWN = /^(?:my|our|his|her|their)$/i;
const SPEAKER = /^(?:i|i['’](?:m|ve)|we|we['’](?:re|ve)|my|our)\b/i;
const GIVES_NAME = /^(?::|\s(?:is|are)(?: called| named)?\s\p{Lu})/u;
