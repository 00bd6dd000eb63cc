import { InvalidInputError } from '../problems/errors.ts';

/** Without the blanks at both ends, as the services count: more than any text that they take. */
const MAX_TEXT_CHARACTERS = 200_000;

/**
 * Refuses longer texts without searching them, since the search would block the event loop. Yields after each field.
 * @param path the names on the way to the value; as it was once this is through
 */
export function* refuseLongTexts(value: object, path: string[]): Generator<void> {
  for (const field of Object.keys(value)) {
    yield;
    if (field.length > MAX_TEXT_CHARACTERS)
      throw new InvalidInputError('A field has too long a name: send a shorter one.');
    const item = (value as Readonly<Record<string, unknown>>)[field];
    if (typeof item === 'string' && isTooLong(item)) throw tooLong([...path, field].join('/'));
    if (typeof item !== 'object' || item === null) continue;
    path.push(field);
    yield* refuseLongTexts(item, path);
    path.pop();
  }
}

function isTooLong(value: string): boolean {
  if (value.length <= MAX_TEXT_CHARACTERS) return false;
  const text = value.trim();
  return text.length > MAX_TEXT_CHARACTERS && [...text].length > MAX_TEXT_CHARACTERS;
}

function tooLong(where: string): InvalidInputError {
  const message = `has more than ${MAX_TEXT_CHARACTERS} characters: send it in parts`;
  return InvalidInputError.at(where, message);
}
