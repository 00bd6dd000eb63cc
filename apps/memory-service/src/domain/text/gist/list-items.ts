import { dayExpressionsIn } from '../days/day-expressions.ts';
import { matchesIn } from '../words/matches-in.ts';
import { NUMBER_NAMES } from '../words/number-names.ts';

/** Of one numbered item: "6. Rent a room", "6) …", "(6) …", "**6. …", "Step 6: …"; "10:30 Supper" and "2.5 litres" are none. */
const NUMBERED = /^[\s*_#>(]*(?:\p{L}{3,10} (?:no\. ?|number )?#?)?(\d{1,3})[.):](?!\d)/u;
const BULLETED = /^\s*[-*•–]\s/;

const ORDINALS = [
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth',
  'eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth',
].flatMap((words) => words.split('|'));
/** Things that stand in lists with a number: "step 4", "tip number six"; other words before a number name another thing. */
const ITEM =
  '(?:items?|points?|steps?|tips?|ideas?|options?|rules?|reasons?|suggestions?|recommendations?|questions?|entry|example|exercise|number|no\\.)';
/** "When did we first meet?" and "for the first time" ask for no item. */
const OF_A_LIST = `(?<=\\b(?:the|this|that|your|my|our|his|her|its|their) )`;
const ASKED = new RegExp(
  `\\b(?:${OF_A_LIST}(${ORDINALS.join('|')})(?! times?\\b)|(\\d{1,3})(?:st|nd|rd|th)|${ITEM} (?:number )?#?(?:(\\d{1,3})|(${NUMBER_NAMES.join('|')}))|(last) ${ITEM})\\b`,
  'gi',
);

/** Characters of a question in which it is looked for. */
const LOOKED_AT = 500;

/** The number of the item of a list that a question asks for, from 1; -1: the last one. Null: it asks for none. */
export function itemAsked(question: string): number | null {
  const looked = question.slice(0, LOOKED_AT);
  const asked = [...matchesIn(looked, ASKED)];
  // Reading days costs more than all else here, and most questions ask for no item.
  const days = asked.length > 0 ? dayExpressionsIn(looked) : [];
  for (const { 0: words, 1: ordinal, 2: digits, 3: number, 4: cardinal, index } of asked) {
    if (days.some(({ start, end }) => index < end && index + words.length > start)) continue;
    if (ordinal) return ORDINALS.indexOf(ordinal.toLowerCase()) + 1;
    if (cardinal) return NUMBER_NAMES.indexOf(cardinal.toLowerCase()) + 1;
    return Number(digits ?? number ?? -1);
  }
  return null;
}

/**
 * The places of the sentences with which that item of a list begins: of each numbered list that has so many; where nothing is numbered,
 * of the marked ones, taken as one list.
 * @param item as `itemAsked` gives it
 */
export function beginningsOfItem(item: number, sentences: readonly string[]): number[] {
  const numbers = sentences.map((sentence) => Number(NUMBERED.exec(sentence)?.[1] ?? Number.NaN));
  const placesWhere = (fits: (place: number) => boolean) => [...sentences.keys()].filter(fits);
  const numbered = placesWhere((place) => !Number.isNaN(numbers[place]));
  if (numbered.length > 1) {
    return item < 0 ? numbered.slice(-1) : numbered.filter((place) => numbers[place] === item);
  }
  const marked = placesWhere((place) => BULLETED.test(sentences[place] as string));
  return item < 0 ? marked.slice(-1) : marked.slice(item - 1, item);
}
