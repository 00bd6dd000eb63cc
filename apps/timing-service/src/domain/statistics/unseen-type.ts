import type { Steps } from '@agent-faculties/service-kit';

/** A task type with history, as far as it tells of other types. */
export interface KnownType {
  readonly taskType: string;
  readonly count: number;
  /** Natural logarithms of seconds: the durations at evenly spaced ranks, ascending, shortest and longest included. */
  readonly logs: readonly number[];
}

export interface SimilarType {
  readonly taskType: string;
  /** 0 to 1: Dice's coefficient of the words in both names. */
  readonly similarity: number;
}

/** What a type without names in common weighs beside one of the same name (1). */
const STRANGER_WEIGHT = 0.01;

/** The words of a task type in lower case, plurals as singulars: "tool:webSearch" has tool, web and search. */
export function wordsOf(taskType: string): ReadonlySet<string> {
  const words = taskType
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
  return new Set(words.filter((word) => word !== ''));
}

/** Dice's coefficient: twice the shared words by all words. */
export function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return (2 * shared) / (one.size + other.size);
}

/** Names of one step: two milliseconds. */
const NAMES_PER_STEP = 500;

/** The names most similar to some words, the most similar first; those that are as similar stay in their order. */
export function* mostSimilar(
  words: ReadonlySet<string>,
  taskTypes: readonly string[],
  most: number,
): Steps<SimilarType[]> {
  let found: SimilarType[] = [];
  for (let from = 0; from < taskTypes.length; from += NAMES_PER_STEP) {
    if (from > 0) yield;
    const more = taskTypes.slice(from, from + NAMES_PER_STEP);
    found = [...found, ...more.map((taskType) => ({ taskType, similarity: similarityOf(words, wordsOf(taskType)) }))]
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, most);
  }
  return found;
}

/**
 * The logarithm of the seconds that a type takes, from those of other types: the mean of their medians, each weighed by the square
 * of its similarity. Types that share no word count little, so that they decide only where none does.
 */
export function predictFromNames(words: ReadonlySet<string>, others: readonly NamedMedian[]): number {
  let sum = 0;
  let weights = 0;
  for (const other of others) {
    const weight = weightOf(words, other);
    sum += weight * other.median;
    weights += weight;
  }
  return sum / weights;
}

function weightOf(words: ReadonlySet<string>, { words: theirs }: NamedMedian): number {
  return similarityOf(words, theirs) ** 2 + STRANGER_WEIGHT;
}

export interface NamedMedian {
  readonly words: ReadonlySet<string>;
  /** Logarithm of seconds. */
  readonly median: number;
}

export function namedMedian({ taskType, logs }: KnownType): NamedMedian {
  return { words: wordsOf(taskType), median: logs[Math.floor(logs.length / 2)] as number };
}

/**
 * What the durations of each known type would be if they were those of a new one: what all types but this one say of the new type,
 * plus how far off what they say of this one is. The jackknife+ of Barber, Candes, Ramdas and Tibshirani (2021, Predictive inference
 * with the jackknife+): where no name tells anything, these are the known durations themselves. The errors around what all types say
 * together would lie beside them: for types of 10, 10 and 2400 s they made 4 s the middle.
 * @returns logarithms for each of at least two types
 * @complexity O(types squared)
 */
export function asIfOfNewType(words: ReadonlySet<string>, known: readonly KnownType[]): number[][] {
  const named = known.map(namedMedian);
  const weights = named.map((one) => weightOf(words, one));
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const total = named.reduce((sum, { median }, index) => sum + (weights[index] as number) * median, 0);
  return known.map(({ logs }, index) => {
    const { words: own, median } = named[index] as NamedMedian;
    const ofNew = (total - (weights[index] as number) * median) / (weight - (weights[index] as number));
    const ofThis = predictFromNames(own, named.toSpliced(index, 1));
    return logs.map((log) => log + ofNew - ofThis);
  });
}

export interface Prediction {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  /** The share of runs of a new type that lie between low and high; at most 0.8. */
  readonly coverage: number;
}

/** The share of runs that an interval is to hold, where there are enough types for it. */
const COVERAGE = 0.8;

/**
 * The interval for a value of a new type, such as the error of an estimate, from the values of known types. It assumes that types
 * are exchangeable, and each type weighs the same, however many runs it has. Pooled distributions of grouped data with one more
 * group that may be anything (Lee, Barber and Willett 2023, Distribution-free inference with hierarchical data). With few types the
 * interval is all that was seen, and its coverage smaller: 1 - 2 / (types + 1).
 * @param groups values of each type; none of them empty
 * @returns null for fewer than two types
 */
export function predictFrom(groups: readonly (readonly number[])[]): Prediction | null {
  const types = groups.length;
  if (types < 2) return null;
  const unknown = 1 / (types + 1);
  const tail = Math.max((1 - COVERAGE) / 2, unknown);
  const weighted = groups
    .flatMap((values) => values.map((value) => ({ value, weight: unknown / values.length })))
    .sort((one, other) => one.value - other.value);
  return {
    low: valueBeyond(weighted, tail - unknown),
    middle: valueBeyond(weighted, (1 - unknown) / 2),
    high: valueBeyond(weighted.toReversed(), tail - unknown),
    coverage: 1 - 2 * tail,
  };
}

/** Sums of a thousand weights are off by as much. */
const ROUNDING = 1e-12;

/** The first value, in the order given, up to which more than `share` of the weight lies. */
function valueBeyond(weighted: readonly { readonly value: number; readonly weight: number }[], share: number): number {
  let passed = 0;
  for (const { value, weight } of weighted) {
    passed += weight;
    if (passed > share + ROUNDING) return value;
  }
  return (weighted.at(-1) as { value: number }).value;
}
