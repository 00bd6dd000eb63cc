import type { Word } from '../../text/words/words.ts';
import { isLight } from './light.ts';

/** Words of a label, or of the subject of a verb; more tell a story. */
const MOST_BEFORE = 6;
/** Behind these a clause says when, why or of whom, and not what the statement is about: "while we work on the seat map". */
const CLAUSE =
  /^(?:while|when|whenever|where|if|because|though|although|unless|until|after|before|once|that|which|who|whose|but|so)$/;
/** Before a place; without a verb too. */
const PLACE = /^(?:in|inside|at|on|under|behind|beside|near|with|from|above|below|beneath|opposite)$/;
/** Here what is given ends: "in Porto this year", "Redis for the sessions". */
const ENDS_GIVEN =
  /^(?:this|these|that|every|each|for|until|till|since|because|and|or|but|when|if|while|of|to|now|today|currently|only|just|which|who)$/;
const DEFINITE = /^(?:the|our|my|your|his|her|their|its|this)$/;
const MOST_WORDS_OF_NAME = 3;
const NAMING = /^(?:called|named|name)$/;
/** Light verbs that tell a thing from others all the same. */
const TELLING_VERB = /^(?:lives?|works?|hosted)$/;
/** Different words for one role. */
const ROLES = new Map(
  Object.entries({
    lead: 'leads lead leader led head heads',
    own: 'owns owner owned belongs',
    manage: 'manages manager managed',
    maintain: 'maintains maintainer maintained',
    chair: 'chairs chair chaired',
    assign: 'assigned assignee',
    teach: 'teaches teacher taught',
    coach: 'coaches coach coached',
    work: 'works work working based',
  }).flatMap(([role, words]) => words.split(' ').map((word) => [word, role] as const)),
);

/** The words of a short statement by their positions, as entries are read off them. */
export class EntryWords {
  readonly text: string;
  readonly words: readonly Word[];

  constructor(text: string, words: readonly Word[]) {
    this.text = text;
    this.words = words;
  }

  /** The position of the first such word; -1 for none. */
  find(isOne: (lower: string, at: number) => boolean): number {
    return this.words.findIndex(({ lower }, at) => isOne(lower, at));
  }

  lower(at: number): string {
    return this.words[at]?.lower ?? '';
  }

  gapBefore(at: number): string {
    return this.text.slice(this.words[at - 1]?.end, this.words[at]?.start);
  }

  /** The text from a word on. */
  rest(at: number): string {
    return this.text.slice(this.words[at]?.start ?? this.text.length);
  }

  /** Whether what stands before a word is what the statement is about. */
  isPlain(until: number): boolean {
    return until > 0 && until <= MOST_BEFORE && !this.words.slice(0, until).some(({ lower }) => CLAUSE.test(lower));
  }

  isBeforePlace(at: number): boolean {
    return PLACE.test(this.lower(at));
  }

  isDefinite(at: number): boolean {
    return DEFINITE.test(this.lower(at));
  }

  isCapital(at: number): boolean {
    return /^\p{Lu}/u.test(this.words[at]?.text ?? '');
  }

  isName(from: number, to: number): boolean {
    const isPart = (_: Word, index: number) => this.isCapital(from + index) && !this.isDefinite(from + index);
    return to - from <= MOST_WORDS_OF_NAME && this.words.slice(from, to).every(isPart);
  }

  /** "Ivan is our daughter's teacher", "Ivan is Ann's teacher" */
  isPossessive(at: number): boolean {
    return /^\S+['’]s? /.test(this.rest(at));
  }

  /** Positions of the words that tell something. */
  telling(from: number, to: number = this.words.length): number[] {
    return this.words.slice(from, to).flatMap(({ isContent, isName, lower }, index) => {
      const isTelling = (isContent || isName || /\d/.test(lower)) && !NAMING.test(lower);
      return isTelling ? [from + index] : [];
    });
  }

  /** Stems of the words that tell which thing it is; a role has one stem, whichever word says it. */
  stems(from: number, to: number = this.words.length): Set<string> {
    const said = this.telling(from, to).map((at) => this.words[at] as Word);
    const kept = said.filter(({ lower }) => ROLES.has(lower) || !isLight(lower) || TELLING_VERB.test(lower));
    return new Set(kept.map(({ lower, stem }) => ROLES.get(lower) ?? stem));
  }

  /** Positions of what is given from a word on, up to where something else begins. */
  givenFrom(from: number): number[] {
    const end = this.find(
      (lower, at) => at > from && (ENDS_GIVEN.test(lower) || this.isBeforePlace(at) || /,/.test(this.gapBefore(at))),
    );
    return this.telling(from, end === -1 ? this.words.length : end);
  }
}
