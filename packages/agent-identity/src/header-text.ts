const utf8 = new TextDecoder('utf-8', { fatal: true });
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The text of a header as the client meant it. Node decodes headers as latin1, but clients send non-ASCII ids as UTF-8.
 * Bytes that are not valid UTF-8 stay latin1.
 */
export function headerText(raw: string): string {
  if (ASCII.test(raw)) return raw;
  try {
    return utf8.decode(Buffer.from(raw, 'latin1'));
  } catch {
    return raw;
  }
}
