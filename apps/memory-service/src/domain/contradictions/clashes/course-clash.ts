import { areOfTwoCourses, type Course, isKept } from '../statements/courses.ts';
import { type Statement, stemsAt } from '../statements/statement.ts';
import { type Clash, SURE } from './clash.ts';

/** How many more words one side may say of what it is about. */
const MOST_MORE = 2;

/** A statement with the course that it tells of. */
interface Told {
  readonly of: Statement;
  readonly course: Course;
}

/** One keeps what the other gives up, or stays with one thing where the other takes another: "we keep Stripe", "we move to Adyen". */
export function courseClash(a: Statement, b: Statement): Clash | null {
  if (!a.course || !b.course || !areOfTwoCourses(a, b) || [a, b].some(({ negations }) => negations.length > 0))
    return null;
  const [mine, theirs] = [
    { of: a, course: a.course },
    { of: b, course: b.course },
  ];
  const [keeping, leaving] = isKept(mine.course) ? [mine, theirs] : [theirs, mine];
  const excluded = excludedBy(keeping, leaving);
  if (!excluded) return null;
  const [first, second] = isKept(mine.course) ? [keeping.course.kept, excluded] : [excluded, keeping.course.kept];
  return { reason: 'exclusive_choice', strength: SURE, a: first, b: second };
}

/** Positions of what the other side gives up or takes, where what is kept excludes that. */
function excludedBy(keeping: Told, leaving: Told): readonly number[] | null {
  const { about, kept } = keeping.course;
  const { about: aboutOther, left, taken } = leaving.course;
  const isOfOne =
    (contains(about, aboutOther) || contains(aboutOther, about)) &&
    isIn(keeping.course.who, aboutOther) &&
    isIn(leaving.course.who, about);
  if (left.length > 0 && areSame(stemsAt(keeping.of, kept), stemsAt(leaving.of, left))) return isOfOne ? left : null;
  return isOfOne && about.size > 0 && aboutOther.size > 0 && isAnother(keeping, leaving) ? taken : null;
}

/** Whether the other side takes another thing of one kind. */
function isAnother({ of: keeping, course }: Told, { of: leaving, course: { about, taken } }: Told): boolean {
  const [stays, takes] = [stemsAt(keeping, course.kept), stemsAt(leaving, taken)];
  if (takes.length === 0 || hasAll(stays, takes) || hasAll(takes, stays)) return false;
  // "The ward keeps goats" and "The ward switches to electronic charts" are of two things, "keeps paper charts" is of one.
  const isOfOneKind =
    course.by !== '' || stays.at(-1) === takes.at(-1) || [...course.purpose].some((stem) => about.has(stem));
  return isOfOneKind && kindOf(keeping, course.kept) === kindOf(leaving, taken);
}

/** The kind of value; '' where it is none. A day of the week is no place. */
function kindOf({ values }: Statement, places: readonly number[]): string {
  return values.find(({ from, to }) => places.some((at) => at >= from && at <= to))?.kind ?? '';
}

function contains(more: ReadonlySet<string>, less: ReadonlySet<string>): boolean {
  return less.size + MOST_MORE >= more.size && isIn(less, more);
}

function isIn(stems: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...stems].every((stem) => all.has(stem));
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return hasAll(one, other) && hasAll(other, one);
}

function hasAll(stems: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((stem) => stems.includes(stem));
}
