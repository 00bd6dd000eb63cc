/**
 * A name without the blanks around it, with one blank for each run of them within, and with accents as one character with their letter
 * (Unicode NFC): what is copied from a page has other blanks, and names of files on macOS other accents, which look alike and would make
 * two types of one.
 */
export function plainName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/gu, ' ');
}

/** In code points, as `Name` of the contract has it. */
const MOST_CHARACTERS = 128;

/** What keeps a plain name from being kept, as words behind its place; null: nothing. Some letters are two or three in NFC. */
export function lengthFault(plain: string): string | null {
  const characters = [...plain].length;
  return characters <= MOST_CHARACTERS
    ? null
    : `must have at most ${MOST_CHARACTERS} characters, and has ${characters} as it is kept (Unicode NFC)`;
}
