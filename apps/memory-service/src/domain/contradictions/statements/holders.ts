import type { Word } from '../../text/words.ts';

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
const oneOf = (words: readonly string[]) => `(?<word>${words.join('|')})`;
const VERB = oneOf(ROLES.map(({ verb }) => verb));
const PARTICIPLE = oneOf(ROLES.map(({ participle }) => participle));
const NOUN = `(?:[Tt]he |[Oo]ur )?${oneOf(ROLES.flatMap(({ nouns }) => nouns))} of`;
const WHO = String.raw`(?<who>\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?)`;
/** One thing: of flats in Rome many people own one. */
const THING = `(?:[Tt]he |[Oo]ur )?(?!an? )(?<thing>[^,;:.!?]{2,60}?)`;
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
  const { who = '', word: said = '', thing = '' } = found;
  const start = text.startsWith(who) ? 0 : text.lastIndexOf(who);
  const at = words.flatMap((word, place) => (word.start >= start && word.end <= start + who.length ? [place] : []));
  const role = ROLE_OF.get(said);
  const isSomebody = at.every((place) => words[place]?.isContent);
  return role && isSomebody ? { role, thing: thing.toLowerCase(), holder: who.toLowerCase(), at } : null;
}
