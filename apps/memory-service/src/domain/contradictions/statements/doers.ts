import { basesByForm } from '../../text/words/irregular-verbs.ts';
import { stemOf } from '../../text/words/words.ts';
import { namesOneThing } from './holders.ts';

/** Who does a thing, as a statement says that says nothing else: "Ann writes the newsletter", "The newsletter is written by Ann". */
export interface Doing {
  /** The stem of the verb. */
  readonly verb: string;
  readonly thing: string;
  readonly who: string;
  readonly isPast: boolean;
  /** Whether it is said of the thing that this one does it, and not only of somebody that they do it too. */
  readonly isOfThing: boolean;
}

/** A name, or one group: "the product team". Many may be volunteers. */
const NAMED = String.raw`(?<who>(?:(?:Dr|Mrs?|Ms|Prof)\.? )?\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+){0,2}|(?:[Tt]he|[Oo]ur|[Mm]y) \p{L}+(?: \p{L}+)?)`;
const THING = '(?<thing>[^,;:!?]{3,60}?)';
const FORMS = [
  { form: `${THING} (?<be>is|are|was|were|gets?|got) (?<verb>\\p{L}+) by ${NAMED}`, isOfThing: true },
  { form: `${NAMED} is the (?:only )?one (?:who |that )?(?<verb>\\p{L}+) ${THING}`, isOfThing: true },
  { form: `${NAMED} (?:is )?(?<verb>\\p{Ll}+) ${THING}`, isOfThing: false },
].map(({ form, isOfThing }) => ({ form: new RegExp(`^${form}[.!]?$`, 'u'), isOfThing }));
/**
 * Pasts of what mostly one does with one thing. Not of all irregular verbs: many may feel an earthquake or find a fault, so that both "Ann
 * felt it" and "It was felt by Bob" hold. What is a participle only, such as "written", tells no past, and `stemOf` has its base.
 */
const PASTS = basesByForm(`
  bring brought ; build built ; buy bought ; catch caught ; choose chose ; draw drew ; drive drove ; feed fed ; fly flew ; give gave ;
  grow grew ; hold held ; keep kept ; lead led ; make made ; rewrite rewrote ; run ran run ; sell sold ; sing sang ; speak spoke ; take took ;
  teach taught ; throw threw ; weave wove ; win won ; write wrote`);
const NO_VERB = /^(?:is|are|was|were|has|have|had|will|can|may|must|to|of|in|on|at|and|or|for|with|from|by|not)$/;
/** What several may have done with one thing, one beside the other. */
const OF_MANY = new Set(
  'visit know like love use read see watch want need attend join support help test check review sign hear follow enjoy hate share meet call'
    .split(' ')
    .map(stemOf),
);

/** null where a statement says something else, or what many may do. */
export function doingIn(text: string): Doing | null {
  for (const { form, isOfThing } of FORMS) {
    const { who = '', verb: said = '', thing = '', be = '' } = form.exec(text)?.groups ?? {};
    if (who === '' || NO_VERB.test(said) || !namesOneThing(thing)) continue;
    const verb = stemOf(PASTS.get(said) ?? said);
    const isPast = be === '' ? PASTS.has(said) || said.endsWith('ed') : /^(?:was|were|got)$/.test(be);
    return OF_MANY.has(verb) ? null : { verb, thing, who, isPast, isOfThing };
  }
  return null;
}
