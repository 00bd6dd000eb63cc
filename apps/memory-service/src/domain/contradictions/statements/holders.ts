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

/** What mostly one has or does alone; of two who visit or know a thing both may be right. */
const VERBS = new Map([
  ['owns', 'own'],
  ['owned', 'own'],
  ['leads', 'lead'],
  ['led', 'lead'],
  ['chairs', 'chair'],
  ['chaired', 'chair'],
  ['heads', 'head'],
  ['headed', 'head'],
  ['manages', 'manage'],
  ['managed', 'manage'],
]);
const NOUNS = new Map([
  ['owner', 'own'],
  ['lead', 'lead'],
  ['leader', 'lead'],
  ['chair', 'chair'],
  ['head', 'head'],
  ['manager', 'manage'],
]);
const VERB = `(?<verb>${[...VERBS.keys()].join('|')})`;
const NOUN = `(?:[Tt]he |[Oo]ur )?(?<noun>${[...NOUNS.keys()].join('|')}) of`;
const WHO = String.raw`(?<who>\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?)`;
/** One thing: of flats in Rome many people own one. */
const THING = `(?:[Tt]he |[Oo]ur )?(?!an? )(?<thing>[^,;:.!?]{2,60}?)`;
const FORMS = [
  `${WHO} ${VERB} ${THING}`,
  `${THING} is ${VERB} by ${WHO}`,
  `${WHO} is ${NOUN} ${THING}`,
  `${NOUN} ${THING} is ${WHO}`,
].map((form) => new RegExp(`^${form}[.!]?$`, 'u'));

/** null where a statement says something else. */
export function holdingIn(text: string, words: readonly Word[]): Holding | null {
  const found = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!found) return null;
  const { who = '', verb = '', noun = '', thing = '' } = found;
  const start = text.startsWith(who) ? 0 : text.lastIndexOf(who);
  const at = words.flatMap((word, place) => (word.start >= start && word.end <= start + who.length ? [place] : []));
  const role = VERBS.get(verb) ?? NOUNS.get(noun);
  const isSomebody = at.every((place) => words[place]?.isContent);
  return role && isSomebody ? { role, thing: thing.toLowerCase(), holder: who.toLowerCase(), at } : null;
}
