import { InvalidInputError } from '@agent-faculties/service-kit';

/** In code points, as `Name` of the contract has it. */
const MOST_CHARACTERS = 128;

/**
 * Tags with accents as one character with their letter (Unicode NFC), each once: what names of files on macOS have looks alike and
 * would be another tag. Those of earlier versions become so where they are read.
 */
export function plainTags(tags: readonly string[]): readonly string[] {
  const plain = tags.map((tag) => tag.normalize('NFC'));
  return plain.every((tag, i) => tag === tags[i]) ? tags : [...new Set(plain)];
}

/** The tags under which a memory is kept. Some letters are two or three in NFC. @throws InvalidInputError */
export function tagsToKeep(tags: readonly string[], where: string): readonly string[] {
  const plain = plainTags(tags);
  const long = plain.find((tag) => [...tag].length > MOST_CHARACTERS);
  if (long === undefined) return plain;
  const message = `must have at most ${MOST_CHARACTERS} characters each, and one has ${[...long].length} as it is kept (Unicode NFC)`;
  throw InvalidInputError.at(where, message);
}
