import { IRREGULAR_PASTS } from '../../text/words/irregular-verbs.ts';
import { askedValue } from './asked-value.ts';

/** What the form of a question says of its answer, whatever its subject is. */
export interface QuestionForm {
  /** Whether it asks when, how long or how often. */
  readonly asksWhen: boolean;
  /** Whether it asks for a value of the present, or of a time ahead, for which what was said last holds too. */
  readonly asksPresent: boolean;
  /** Whether it names a thing without a verb, as agents do ("CSV export row limit"), and so may ask for what holds now. */
  readonly namesThing: boolean;
  /** Whether it asks, of the present, if something is so still, yet or no longer: "Do we still mow the churchyard?" */
  readonly asksStill: boolean;
  /** Whether it asks for one value of the past and names no time: "Where was Ann born?" */
  readonly asksPast: boolean;
  /** Whether it asks several questions at once: "what broke, and who mended it". */
  readonly asksSeveral: boolean;
  /** Whether it asks for several things of a kind, which are told here and there: "which books has she read". */
  readonly asksList: boolean;
  /** Whether it asks what was so in the time before now that it names, and not what happened then. */
  readonly asksState: boolean;
}

/** Characters in which the form of a question is looked for. */
const LOOKED_AT = 500;
/** "When" as a question word: at the beginning or before an auxiliary verb, and not in "how many when you don't say". */
const ASKS_WHEN =
  /^\s*(?:and |so )?when\b|\bwhen (?:is|was|were|are|will|did|do|does|has|have|had|can|could|should|would)\b|\b(?:how long|how often|since when|(?:what|which) (?:date|day|time|month|year|week))\b/i;
/** "Where was the key on 3 May?", "Who was on call last week?": what was so then, whenever that was told. */
const ASKS_STATE =
  /^\W*(?:and |so )?(?:(?:where|who|what) |(?:which|what|whose) .{1,40}? )(?:was|were)\b(?!.* (?:said|told|discussed|mentioned|reported|decided|agreed|done)\b)/i;
/** A question word where a question begins: first, after a comma or the like, or after "and"; maybe behind "for" or "at". */
const BEGINS_A_QUESTION =
  /(?:^|[,;:?.]\s*(?:and |or |but )?|\b(?:and|or) )(?:(?:at|for|from|by|in|on|to|of|until|since|with) )?(?:what|why|how|when|who|whom|which|where|whose)\b/gi;
/**
 * Questions for several things: "which books", "what are", "what kinds of", "both", "how many". A plural is a word that ends in one s and
 * stands before the verb: "Which watch does Jonas have?" asks for one.
 */
const ASKS_A_LIST =
  /^\s*(?:(?:in|at|on|from|with|for|by|to) )?(?:what|which)(?: (?!(?:do|does|did|is|was|has|had|will|would|can|could|should|must)\b)[\w-]+){0,2}? (?!(?:is|was|has|does|this|his|its|always|news)\b)[a-z-]{2,}[^s\W]s\b|^\s*what are\b|\bwhat (?:kind|type|sort)s? of\b|\bboth\b|\bhow many\b/i;

/** @param read.asking what a message asks that tells something too; absent: the text; `time`: whether it names a time; `past`: one before now; `ahead`: one ahead */
export function formOf(
  text: string,
  {
    asking = text,
    ...named
  }: { readonly asking?: string; readonly time: boolean; readonly past: boolean; readonly ahead: boolean },
): QuestionForm {
  const form = asking.slice(0, LOOKED_AT);
  const asksWhen = ASKS_WHEN.test(asking);
  const tense = tenseOfValue(form);
  const isOfNow = !named.time || named.ahead;
  const asksPresent = tense === 'present' && isOfNow;
  return {
    asksWhen,
    asksPresent,
    namesThing: !asksPresent && isOfNow && namesThing(form),
    asksStill: asksPresent && STILL.test(form),
    asksPast: tense === 'past' && !named.time,
    asksSeveral: (text.slice(0, LOOKED_AT).match(BEGINS_A_QUESTION)?.length ?? 0) > 1,
    asksList: !asksWhen && ASKS_A_LIST.test(form),
    asksState: named.past && ASKS_STATE.test(form),
  };
}

/** Questions for one present value, and not for the past, a cause or a list. "How do I" asks for advice, "how do we" for what is done. */
const ASKS_A_VALUE =
  /^(?:\w+ ){0,3}?(?:what|which|whom?|whose|where|when|how (?:do we|(?!do|does|did|is|are|was|were|can|could|to|come|would|should|will|has|have|had|about)\w+))\b/i;
const STILL = /\b(?:already|any ?more|any longer|no longer|still|yet)\b/i;
/** Whether something is so at present. */
const ASKS_WHETHER_STILL = new RegExp(
  `^\\W*(?:and |so )?(?:am|are|can|do|does|has|have|is|may|must|will)\\b.*${STILL.source}`,
  'i',
);
/** "The ferry to Gotland, which day" */
const ASKS_AT_THE_END = /[,:;–-] ?(?:and )?(?:what|which|whom?|whose|where|when|how)(?: [\w-]+){0,2}\W*$/i;
/** In a query without a verb: "price of a ticket", "Ann's deadline", "code for the safe?" */
const OF_SOMETHING = /\b(?:of|for)\b|['’]s\b/i;
const BEGINS_WITH_A_VERB =
  /^\W*(?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would)\b/i;
/** What somebody said once holds, whatever is said later. "Customers who left" are no question for who left. */
const IN_THE_PAST = new RegExp(
  `(?:^|[,;:?.] ?|\\b(?:and|or|so) )who (?:[a-z]{2,}ed|came|led|left|made|said|went|${IRREGULAR_PASTS.join('|')})\\b|\\b(?:was|were|did|had)\\b`,
  'i',
);
const NOT_OF_ONE_VALUE =
  /\b(?:(?<!\ba )first|originally|initially|previous(?:ly)?|earlier|used to|history|ever|(?<!how )old|former(?:ly)?|all|list|(?:what|which|in the) order|the order (?:in which|of)|summar\w*|how (?:has|have)|across|different|(?:every|each)(?! (?:hour|day|night|morning|evening|week|month|quarter|term|season|year)\b)|why|caused|explain|compare|between|happen(?:s|ed)?)\b/i;
/** "Where was it before?", but not "What do I do before a release?" */
const BEFORE = /\bbefore\b/i;
const BEFORE_NOW = /\bbefore\W*$/i;
const WORDS_OF_A_PLAIN_QUESTION = 25;

/** Of the one value that is asked for, whenever it was told; null: something else is asked for. */
function tenseOfValue(form: string): 'present' | 'past' | null {
  const isPast = IN_THE_PAST.test(form);
  const forms = [ASKS_A_VALUE, ASKS_AT_THE_END, ASKS_WHETHER_STILL];
  const isAsked = forms.some((asks) => asks.test(form)) || namesAValue(form);
  const isOfBefore = (isPast ? BEFORE : BEFORE_NOW).test(form);
  const isPlain = isAsked && !isOfBefore && !NOT_OF_ONE_VALUE.test(form);
  const isShort = form.trim().split(/\s+/, WORDS_OF_A_PLAIN_QUESTION + 1).length <= WORDS_OF_A_PLAIN_QUESTION;
  if (!isPlain || !isShort) return null;
  return isPast ? 'past' : 'present';
}

function namesAValue(form: string): boolean {
  return !BEGINS_WITH_A_VERB.test(form) && OF_SOMETHING.test(form) && askedValue(form) !== 'other';
}

/** Two to ten words of one sentence. */
const NAME_OF_A_THING = /^\W*[^\s.!?;]+(?: [^\s.!?;]+){1,9}\W*$/;
const VERB_OR_PERSON =
  /\b(?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would|i|me|please|they|we|you)\b/i;

function namesThing(form: string): boolean {
  return NAME_OF_A_THING.test(form) && !VERB_OR_PERSON.test(form) && !NOT_OF_ONE_VALUE.test(form);
}
