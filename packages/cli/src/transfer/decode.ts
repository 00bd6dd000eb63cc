const UTF_16: readonly (readonly [encoding: string, first: number, second: number])[] = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];
/** The beginning of a zip archive. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** The front matter of a note of `export`, whose text is that of its memory, with a NUL where that has one. */
const NOTE = /^---\n[^\0]*\nexport_hash: /;

/** The text of a file in UTF-8, or in UTF-16 as Windows PowerShell writes it; `fault` says what else it is. */
export function decode(bytes: Uint8Array): { readonly text: string } | { readonly fault: string } {
  if (ZIP.every((byte, place) => bytes[place] === byte)) {
    return { fault: 'an archive: unpack it, and import what is in it' };
  }
  const marked = UTF_16.find(([, first, second]) => bytes[0] === first && bytes[1] === second);
  const encoding = marked?.[0] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0') || NOTE.test(text)) return { text };
  } catch {
    // What a lenient decoder makes of other bytes would be kept as if somebody had said it.
  }
  return { fault: 'no text in UTF-8: save it in UTF-8, if it is a text' };
}
