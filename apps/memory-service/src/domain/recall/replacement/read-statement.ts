import { keyOf } from '../../text/records/key.ts';
import type { Value } from '../../text/values/value.ts';
import { valuesOf } from '../../text/values/values-of.ts';
import { withParts } from '../../text/words/parts-of-words.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';

/** The words of a statement and its exact values. */
export interface ReadStatement {
  readonly words: readonly Word[];
  readonly values: readonly Value[];
}

/** The same with what tells the records of programs apart. */
export interface StatementInParts extends ReadStatement {
  /** The words with identifiers taken apart: "pool" and "size" of POOL_SIZE. */
  readonly parts: readonly Word[];
  /** What its value stands behind: `keyOf`. */
  readonly key: readonly Word[];
}

/** What takes longer than the words is read when somebody asks for it. */
export function readStatement(text: string): StatementInParts {
  const words = wordsOf(text);
  let parts: readonly Word[] | null = null;
  let key: readonly Word[] | null = null;
  let values: readonly Value[] | null = null;
  return {
    words,
    get parts() {
      parts ??= withParts(words);
      return parts;
    },
    get key() {
      key ??= keyOf(text);
      return key;
    },
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
export interface TwoStatements<Read extends ReadStatement = ReadStatement> {
  readonly older: Read;
  readonly newer: Read;
}
