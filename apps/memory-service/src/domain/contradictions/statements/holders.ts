import type { Word } from '../../text/words/words.ts';

/** Who alone has or leads a thing, as a statement says that says nothing else. */
export interface Holding {
  /** own, lead, chair, head or manage. */
  readonly role: string;
  /** In lower case, without its article. */
  readonly thing: string;
  readonly holder: string;
  /** Positions of the holder's words. */
  readonly at: readonly number[];
}

/**
 * What mostly one has or does alone; of two who visit or know a thing both may be right. Only what holds now: of two who led a thing
 * one may have followed the other.
 */
const ROLES = [
  { role: 'own', verb: 'owns', participle: 'owned', nouns: ['owner'] },
  { role: 'lead', verb: 'leads', participle: 'led', nouns: ['lead', 'leader'] },
  { role: 'chair', verb: 'chairs', participle: 'chaired', nouns: ['chair'] },
  { role: 'head', verb: 'heads', participle: 'headed', nouns: ['head'] },
  { role: 'manage', verb: 'manages', participle: 'managed', nouns: ['manager'] },
];
const ROLE_OF = new Map(
  ROLES.flatMap(({ role, verb, participle, nouns }) => [verb, participle, ...nouns].map((word) => [word, role])),
);
const VERBS: ReadonlySet<string> = new Set(ROLES.map(({ verb }) => verb));
const oneOf = (words: readonly string[]) => `(?<word>${words.join('|')})`;
const VERB = oneOf([...VERBS]);
const PARTICIPLE = oneOf(ROLES.map(({ participle }) => participle));
const NOUN = `(?:[Tt]he |[Oo]ur )?${oneOf(ROLES.flatMap(({ nouns }) => nouns))} of`;
const WHO = String.raw`(?<who>\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?)`;
/** She may be Ann, and everyone too. */
const UNNAMED = /^(?:he|she|it|they|we|you|who|nobody|no one|(?:some|any|every)(?:body| ?one))$/;
const THING = `(?<article>[Tt]he |[Oo]ur )?(?<thing>[^,;:.!?]{2,60}?)`;
/** Of flats in Rome many people own one, and each leads her own life; "that" may be any thing. */
const NOT_ONE_THING =
  /^(?:an?|one|two|three|both|half|parts?|shares?|some|several|many|most|much|more|all|each|every|any|no|another|my|your|his|her|its|their|it|this|that|these|those|(?:no|some|any|every)thing)\b/;
const FORMS = [
  `${WHO} ${VERB} ${THING}`,
  `${THING} is ${PARTICIPLE} by ${WHO}`,
  `${WHO} is ${NOUN} ${THING}`,
  `${NOUN} ${THING} is ${WHO}`,
].map((form) => new RegExp(`^${form}[.!]?$`, 'u'));

/** null where a statement says something else. */
export function holdingIn(text: string, words: readonly Word[]): Holding | null {
  const found = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!found) return null;
  const { who = '', word: said = '', article, thing: named = '' } = found;
  const [holder, thing] = [who.toLowerCase(), named.toLowerCase()];
  if (UNNAMED.test(holder) || !namesOneThing(thing)) return null;
  if (VERBS.has(said) && article === undefined && !isNamedAfter(said, named)) return null;
  const start = text.startsWith(who) ? 0 : text.lastIndexOf(who);
  const at = words.flatMap((word, place) => (word.start >= start && word.end <= start + who.length ? [place] : []));
  const role = ROLE_OF.get(said);
  const isSomebody = at.every((place) => words[place]?.isContent);
  return role && isSomebody ? { role, thing, holder, at } : null;
}

/** Whether a text without its article may name one thing: "half of it" and "two barges" do not. */
export function namesOneThing(thing: string): boolean {
  return !NOT_ONE_THING.test(thing.toLowerCase());
}

/** Whether a verb takes a name. Without an article many own cats or Bitcoin, head home, and manage to be in time. */
function isNamedAfter(verb: string, thing: string): boolean {
  return verb !== 'owns' && /^\p{Lu}/u.test(thing);
}
