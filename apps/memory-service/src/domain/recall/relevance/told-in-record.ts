import { recallText } from '../../memory/memory.ts';
import { type Field, fieldsOf } from '../../text/records/fields.ts';
import { tellingTerms } from '../../text/words/telling-terms.ts';
import { termsOf } from '../../text/words/terms.ts';
import { wordsOf } from '../../text/words/words.ts';
import type { Candidate } from '../evidence/evidence.ts';
import type { AskedInWords } from './told-by-words.ts';

/** How the stem of a key ends that names who does something: the owner owns, the assignee is assigned. */
const WHO_DOES = ['er', 'or', 'e'] as const;
/** How many words of the question may be said otherwise: "address" of an IP address, "connect to" of a host. */
const MOST_SAID_OTHERWISE = 1;
/** What no identifier looks like. */
const PLAIN = /^[a-z]+$/;

/**
 * Tells whether a memory is a record that has what is asked of a thing as a key, and the thing in a value or in the same key: "What is
 * the IP address of db-3?" of `{"host": "db-3", "ip": "10.0.0.12"}`. Records are no sentences, so that their meaning tells little.
 */
export function toldInRecord({
  text,
  terms,
  period,
  days,
}: Pick<AskedInWords, 'text' | 'terms' | 'period' | 'days'>): (
  candidate: Pick<Candidate, 'evidence' | 'stored'>,
) => boolean {
  const asked = tellingTerms(terms, { namesTime: period !== null || days.length > 0 });
  if (asked.length < 2) return () => false;
  return ({ evidence, stored }) => evidence.turn > 0 && haveAsked(fieldsOf(recallText(stored.memory)), asked, text);
}

/** @param asked the terms of the question that tell its subject, two at least */
function haveAsked(fields: readonly Field[], asked: readonly string[], question: string): boolean {
  if (fields.length === 0) return false;
  const isMissing = (term: string) => !fields.some((field) => isKey(term, field) || field.value.has(term));
  const missing = asked.filter(isMissing);
  if (missing.length > MOST_SAID_OTHERWISE || missing.some((term) => isOfThing(term, question))) return false;
  return fields.some((field) => {
    const inKey = asked.filter((term) => isKey(term, field));
    const others = asked.filter((term) => !inKey.includes(term) && !missing.includes(term));
    if (others.length === 0) return inKey.length > 1;
    return inKey.length > 0 && others.some((term) => fields.some(({ value }) => value.has(term)));
  });
}

function isKey(term: string, { key }: Field): boolean {
  return key.has(term) || WHO_DOES.some((end) => key.has(term + end));
}

/** Whether a word of a question is an identifier or a name. */
function isOfThing(term: string, question: string): boolean {
  return !PLAIN.test(term) || wordsOf(question).some(({ isName, text }) => isName && termsOf(text).includes(term));
}
