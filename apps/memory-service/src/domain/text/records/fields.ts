import { termsOf } from '../words/terms.ts';
import { keyOf } from './key.ts';

/** A longer text is no record, or one of so much that it has any word. */
const MOST_CHARACTERS = 1_000;
/** Where a sentence of prose ends and another one begins. */
const NEXT_SENTENCE = /[.!?]\s+\p{Lu}/gu;
/** A value may be a name with a full stop: Dr. Pires. */
const MOST_ENDS = 1;
/** The key of a field and its mark, in JSON, YAML, INI files, rows with names and lines of a log: `"ip": `, `owner: `, `cache_ttl = `, `args=`. */
const KEY =
  /(?:(?:^|[|,;{}\n])[^\S\n]*(?:[-*•][^\S\n]+)?|\]\s+|\s(?=[\p{L}_]\w*=))["']?([\p{L}_][\p{L}\p{N}_./ -]{0,40}?)["']?\s*(?::(?=[\s"'\d[{])|=)/gu;
const MARK = /[:=]/;

/** The terms of a key, and those of what it has as its value. */
export interface Field {
  readonly key: ReadonlySet<string>;
  readonly value: ReadonlySet<string>;
}

/**
 * The fields of a record in order; none of a text that is none, such as a sentence behind a heading. A section is a value without a key:
 * "[auth]" of an INI file, "auth:" of YAML with nothing behind it.
 */
export function fieldsOf(text: string): Field[] {
  if (text.length > MOST_CHARACTERS || !MARK.test(text) || isProse(text)) return [];
  const keys = [...text.matchAll(KEY)];
  if (keys.length === 0 || (keys.length === 1 && keyOf(text).length === 0)) return [];
  const before = text.slice(0, keys[0]?.index);
  const fields = keys.map(({ index, 0: { length }, 1: key = '' }, at) =>
    fieldOf(key, text.slice(index + length, keys[at + 1]?.index)),
  );
  return [fieldOf('', before), ...fields];
}

function fieldOf(key: string, value: string): Field {
  const isSection = value.trim() === '';
  return { key: new Set(isSection ? [] : termsOf(key)), value: new Set(termsOf(isSection ? key : value)) };
}

function isProse(text: string): boolean {
  return (text.match(NEXT_SENTENCE)?.length ?? 0) > MOST_ENDS;
}
