import { hasSubject, hasVerb } from '../../text/sentences/clauses.ts';
import { sentenceSpans } from '../../text/sentences/sentences.ts';
import type { Value } from '../../text/values/value.ts';
import { valuesOf } from '../../text/values/values-of.ts';
import { wordsOf } from '../../text/words/words.ts';
import { LONGEST_CLAIM } from './claims.ts';
import { isLabel } from './labels.ts';

/**
 * How a list of properties begins: with a label ("Staging: host db-2, port 5433"), with a sentence ("Staging is db-2, port 5433,
 * Postgres 15"), or with the thing as its first item ("db-2, port 5433, Postgres 15"). Behind a verb fewer than three items are none:
 * "has diabetes, type 1".
 */
const FORMS = [
  { form: /^(?<thing>[^,:;.!?]{2,60}?)(?::|\s[–—-])\s+(?<properties>.+)$/su, least: 2, isLabelled: true },
  {
    form: /^(?<thing>[^,:;.!?]{2,60}?) (?:is|are|has|have|runs(?: on)?|uses) (?<properties>[^,:;.!?]+,.+)$/su,
    least: 3,
  },
  { form: /^(?<thing>[^,:;.!?]{2,60}), (?<properties>.+)$/su, least: 2 },
];
const MOST_WORDS_OF_THING = 5;
/** "Tomorrow, 2 pm", "In Rome, two nights": these name no thing. */
const NO_THING =
  /^(?:and|but|so|or|yes|no|not|ok|okay|hi|hello|dear|thanks|today|tomorrow|yesterday|tonight|now|then|also|in|on|at|for|from|by|with|to|if|when|after|before|since|as|per|about)\b|^\d/i;
const DENIES = /^(?:no|without) \p{L}/iu;

/**
 * The properties that a text lists of one thing, each as a claim: "Staging: port 5433" and "Staging: Postgres 15" of "Staging: host db-2,
 * port 5433, Postgres 15". Only those with a value or a denial: of the others nobody can tell what they exclude.
 */
export function propertiesIn(text: string): string[] {
  return sentenceSpans(text, LONGEST_CLAIM).flatMap(({ start, end }) => propertiesOf(text.slice(start, end)));
}

function propertiesOf(sentence: string): string[] {
  const { thing, items } = listIn(sentence.replace(/[.!]\s*$/, ''));
  const read = items.map((item) => {
    const claim = `${thing}: ${item}`;
    return { claim, isDenial: DENIES.test(item), values: valuesOf(wordsOf(claim)) };
  });
  return read.flatMap(({ claim, isDenial, values }, at) => {
    const others = read.flatMap((one, place) => (place === at ? [] : one.values));
    return isDenial || values.some((value) => isProperty(value, others)) ? [claim] : [];
  });
}

/** A thing and what is listed of it; no items where a sentence says something else. */
function listIn(sentence: string): { readonly thing: string; readonly items: readonly string[] } {
  const none = { thing: '', items: [] };
  const found = FORMS.map(({ form, ...how }) => ({ ...how, groups: form.exec(sentence)?.groups })).find(
    ({ groups }) => groups,
  );
  if (!found?.groups || sentence.endsWith('?')) return none;
  const { thing = '', properties = '' } = found.groups;
  const isThing =
    !(found.isLabelled ? hasSubject(thing) : hasVerb(thing)) &&
    !NO_THING.test(thing) &&
    thing.split(/\s+/).length <= MOST_WORDS_OF_THING;
  const items = properties.split(/[,;]\s+/);
  // What has a subject and a verb is a claim by itself.
  const isList = items.length >= found.least && !items.some((item) => item === '' || hasSubject(item));
  return isThing && isList && isLabel(`${thing}:`) ? { thing, items } : none;
}

/** A list with several values of one kind counts things up: "Supported: Postgres 14, Postgres 15", "Node 1, Node 2". */
function isProperty(value: Value, others: readonly Value[]): boolean {
  return value.kind !== 'identifier' && !others.some(({ kind, unit }) => kind === value.kind && unit === value.unit);
}
