import type { Value } from '../../text/values/value.ts';
import { valuesOf } from '../../text/values/values-of.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';

/** The words of a statement and its exact values. */
export interface ReadStatement {
  readonly words: readonly Word[];
  readonly values: readonly Value[];
}

/** Its values are read when somebody asks for them: they take longer than the words. */
export function readStatement(text: string): ReadStatement {
  const words = wordsOf(text);
  let values: readonly Value[] | null = null;
  return {
    words,
    get values() {
      values ??= valuesOf(words);
      return values;
    },
  };
}

/** Stems of what a statement tells beside words of the question. @param subject stems of those that tell it */
export function toldBeside(subject: ReadonlySet<string>, { words }: ReadStatement): ReadonlySet<string> {
  return new Set(words.flatMap(({ isContent, stem }) => (isContent && !subject.has(stem) ? stem : [])));
}

/** Two statements, of which the newer may replace the older. */
export interface TwoStatements {
  readonly older: ReadStatement;
  readonly newer: ReadStatement;
}
