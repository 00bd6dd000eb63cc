/**
 * A name without the blanks around it, with one blank for each run of them within, and with accents as one character with their letter
 * (Unicode NFC): what is copied from a page has other blanks, and names of files on macOS other accents, which look alike and would make
 * two types of one.
 */
export function plainName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/gu, ' ');
}
