import { hasVerb } from '../../text/sentences/clauses.ts';
import { numberedThings } from '../../text/words/numbered-things.ts';
import type { Word } from '../../text/words/words.ts';
import type { Clash } from '../clashes/clash.ts';
import { nameOthers, nameTheSame, tellsWhichOne } from '../statements/identifiers.ts';
import { tellApart, tellsWhich } from '../statements/opposites.ts';
import type { Sentence, Statement } from '../statements/statement.ts';

/** Whether the statements are about two things of one kind: the north gate and the south gate, last year and this year. */
export function speakOfAnotherOne(a: Statement, b: Statement): boolean {
  const only = (one: Statement, other: Statement) =>
    one.words.filter(({ stem }) => tellsWhich(stem) && !other.terms.has(stem));
  const theirs = only(b, a);
  return only(a, b).some((word) => theirs.some(({ stem }) => tellApart(word.stem, stem)));
}

/**
 * Whether something clashes beside two things of one kind, which a word before the same noun tells apart, or the second half of a
 * compound: "the north gate is locked" and "the south gate is open", "the 2019 edition" and "the 2025 edition", quail-small and
 * quail-base.
 */
export function nameOthersOfAKind(
  a: Sentence,
  b: Sentence,
  clashes: readonly { readonly a: readonly string[]; readonly b: readonly string[] }[],
): boolean {
  const isBeside = (one: string, other: string) =>
    clashes.some((clash) => !clash.a.includes(one) || !clash.b.includes(other));
  const [kinds, compounds] = [kindsIn(b), compoundsIn(b)];
  const isOtherKind = kindsIn(a).some(({ kind, which }) =>
    kinds.some((other) => kind === other.kind && areApart(which, other.which) && isBeside(which, other.which)),
  );
  return (
    isOtherKind ||
    (clashes.length > 0 &&
      compoundsIn(a).some(({ kind, which }) => compounds.some((other) => kind === other.kind && which !== other.which)))
  );
}

/**
 * Whether two things of one kind, which their numbers tell apart, stand right before the verbs: "Room 12 is locked", "Room 14 is open".
 * Where either sentence says which one it is, both have to go on with something of their own: of "Room 12 is the office" and "Room 14
 * is the office" both may not hold.
 */
export function nameOtherNumbers(a: Sentence, b: Sentence): boolean {
  const [mine, theirs] = [numberedSubjectIn(a), numberedSubjectIn(b)];
  if (!mine || !theirs || mine.kind !== theirs.kind || mine.which === theirs.which) return false;
  const saysMore = (one: NumberedSubject, other: NumberedSubject) =>
    one.rest.some(({ stem }) => other.rest.every((word) => word.stem !== stem));
  return !(mine.isTold || theirs.isTold) || (saysMore(mine, theirs) && saysMore(theirs, mine));
}

interface NumberedSubject extends OneOfAKind {
  /** The verb and what follows. */
  readonly rest: readonly Word[];
  /** Whether the sentence says which one it is: "is the office". */
  readonly isTold: boolean;
}

/** "Room 12" of "Room 12 is locked"; null where no number stands right before the verb. */
function numberedSubjectIn({ text, words }: Sentence): NumberedSubject | null {
  const verb = words.findIndex(({ start, end }) => hasVerb(text.slice(start, end)));
  const number = words[verb - 1];
  const [kind, which] = numberedThings(words.slice(0, Math.max(0, verb))).at(-1) ?? [];
  if (!number || kind === undefined || which !== number.lower) return null;
  return { kind, which, rest: words.slice(verb), isTold: tellsWhichOne(text.slice(number.end)) };
}

/** Whether the two speak of two groups of people, and something clashes besides: "the mobile team", "the platform team". */
export function nameOtherGroups(a: Statement, b: Statement, clash: Clash): boolean {
  const theirs = groupsIn(b, a, clash.b);
  return groupsIn(a, b, clash.a).some((group) => theirs.includes(group));
}

/** The groups before which a statement has a word that the other one lacks. */
function groupsIn(one: Statement, other: Statement, beside: readonly number[]): string[] {
  return one.words.flatMap(({ stem, isContent, isName, end }, at) => {
    const group = one.words[at + 1];
    const isTold = (isContent || isName) && !other.terms.has(stem) && !beside.includes(at);
    return group && GROUPS.has(group.lower) && isTold && one.text.slice(end, group.start) === ' ' ? [group.stem] : [];
  });
}

const GROUPS = new Set('team group class squad crew shift club department office'.split(' '));

interface OneOfAKind {
  readonly kind: string;
  readonly which: string;
}

/** Each noun with the word before it that tells which one it is. */
function kindsIn({ words }: Sentence): OneOfAKind[] {
  return words.flatMap(({ stem: which }, at) => {
    const noun = words[at + 1];
    return noun?.isContent && (tellsWhich(which) || YEAR.test(which)) ? [{ kind: noun.stem, which }] : [];
  });
}

function areApart(a: string, b: string): boolean {
  return tellApart(a, b) || (YEAR.test(a) && YEAR.test(b) && a !== b);
}

const YEAR = /^(?:19|20)\d\d$/;

/** Words such as quail-small and feature/login that stand before the verb, as a subject does. */
function compoundsIn({ text, words }: Sentence): OneOfAKind[] {
  return words.flatMap(({ lower, start }) => {
    const [, kind, which] = COMPOUND.exec(lower) ?? [];
    return kind && which && !hasVerb(text.slice(0, start)) ? [{ kind, which }] : [];
  });
}

const COMPOUND = /^(\p{L}{3,}[-/_.])(\p{L}{2,})$/u;

/** Whether the statements are about different tickets, builds or commits, and neither names one that the other is about. */
export function nameOtherTickets(a: About, b: About): boolean {
  return (
    nameOthers(a.subjects, b.subjects) &&
    !nameTheSame(a.subjects, b.in.identifiers) &&
    !nameTheSame(b.subjects, a.in.identifiers)
  );
}

interface About extends Pick<Sentence, 'subjects'> {
  readonly in: Statement;
}
