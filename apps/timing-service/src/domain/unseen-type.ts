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

/**
 * The logarithm of the seconds that a type takes, from those of other types: the mean of their medians, each weighed by the square
 * of its similarity. Types that share no word count little, so that they decide only where none does.
 */
export function predictFromNames(words: ReadonlySet<string>, others: readonly NamedMedian[]): number {
  let sum = 0;
  let weights = 0;
  for (const { words: theirs, median } of others) {
    const weight = similarityOf(words, theirs) ** 2 + STRANGER_WEIGHT;
    sum += weight * median;
    weights += weight;
  }
  return sum / weights;
}

export interface NamedMedian {
  readonly words: ReadonlySet<string>;
  /** Logarithm of seconds. */
  readonly median: number;
}

export function namedMedian({ taskType, logs }: KnownType): NamedMedian {
  return { words: wordsOf(taskType), median: logs[Math.floor(logs.length / 2)] as number };
}

/** How far off the prediction from names is for the types whose durations are known: for each type the errors of its durations. */
export function errorsFromNames(known: readonly KnownType[]): number[][] {
  const named = known.map(namedMedian);
  return known.map(({ logs }, index) => {
    const { words } = named[index] as NamedMedian;
    const predicted = predictFromNames(words, named.toSpliced(index, 1));
    return logs.map((log) => log - predicted);
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
 * Where an error of a new type lies, from the errors of known types: types are taken for exchangeable, and each weighs the same,
 * however many runs it has. Pooled distributions of grouped data with one more group that may be anything (Lee, Barber and Willett
 * 2023, Distribution-free inference with hierarchical data). With few types the interval is all that was seen, and its coverage
 * smaller: 1 - 2 / (types + 1).
 * @param groups errors of each type; none of them empty
 * @returns null for fewer than two types
 */
export function predictError(groups: readonly (readonly number[])[]): Prediction | null {
  const types = groups.length;
  if (types < 2) return null;
  const unknown = 1 / (types + 1);
  const tail = Math.max((1 - COVERAGE) / 2, unknown);
  const weighted = groups
    .flatMap((errors) => errors.map((error) => ({ error, weight: unknown / errors.length })))
    .sort((one, other) => one.error - other.error);
  return {
    low: errorBeyond(weighted, tail - unknown),
    middle: errorBeyond(weighted, (1 - unknown) / 2),
    high: errorBeyond(weighted.toReversed(), tail - unknown),
    coverage: 1 - 2 * tail,
  };
}

/** Sums of a thousand weights are off by as much. */
const ROUNDING = 1e-12;

/** The first error, in the order given, up to which more than `share` of the weight lies. */
function errorBeyond(weighted: readonly { readonly error: number; readonly weight: number }[], share: number): number {
  let passed = 0;
  for (const { error, weight } of weighted) {
    passed += weight;
    if (passed > share + ROUNDING) return error;
  }
  return (weighted.at(-1) as { error: number }).error;
}
