// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** Most texts are: a quicker way is open to them. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
