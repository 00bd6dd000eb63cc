/** The most combining marks in a row before a break; no language has more. As in the Stream-Safe Text Format, UAX #15, D4. */
const LONGEST_RUN = 30;
/** The combining grapheme joiner; normalisation sorts no marks across it. */
const BREAK = '\u034f';
/** No combining mark lies below the first of these code points; none that normalisation sorts lies above the second. */
const FIRST_MARK = 0x300;
const LAST_MARK = 0x1ffff;
/** Below it everything is in NFC already. */
const NOT_LATIN = /[\u0300-\uffff]/;
/** So many marks are sorted in less than a millisecond. */
const QUICKLY_SORTED = 1_000;
/** Combining marks, and the two signs of half-width kana that become marks. */
const MARK = /^[\p{M}\uff9e\uff9f]$/u;

/** All but circled numbers, fractions and superscripts, which compatibility makes other numbers of: 10² would be 102. */
const NO_PLAIN_NUMBER = /[^\p{No}]+/gu;

let marks: Uint8Array | undefined;

/**
 * A text in one of the normal forms of Unicode, in linear time. Normalisation sorts the marks after a letter, and sorting 200,000
 * of them takes 20 s. Therefore a text with more than 30 marks in a row gets breaks between them; other texts are not changed.
 * Source: https://unicode.org/reports/tr15/#Stream_Safe_Text_Format
 * @complexity O(characters)
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return withBreaks(text).normalize(form);
}

/** A text with accents as one character with their letter (NFC). */
export function composedForm(text: string): string {
  if (!NOT_LATIN.test(text)) return text;
  return text.length <= QUICKLY_SORTED ? text.normalize('NFC') : normalForm(text, 'NFC');
}

/** A text in the form NFKC, but for circled numbers, fractions and superscripts, which stay as they are. */
export function compatibleForm(text: string): string {
  return text.replace(NO_PLAIN_NUMBER, (part) => normalForm(part, 'NFKC'));
}

function withBreaks(text: string): string {
  let broken = '';
  let from = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < FIRST_MARK) {
      run = 0;
      continue;
    }
    const code = text.codePointAt(at) as number;
    const isPair = code > 0xffff;
    if (!isMark(code)) run = 0;
    else if (++run > LONGEST_RUN) {
      broken += text.slice(from, at) + BREAK;
      from = at;
      run = 1;
    }
    if (isPair) at++;
  }
  return from === 0 ? text : broken + text.slice(from);
}

function isMark(code: number): boolean {
  if (code > LAST_MARK) return false;
  marks ??= markTable();
  return marks[code] === 1;
}

/** A table of 128 kB; the first text that is not Latin makes it in 10 ms. */
function markTable(): Uint8Array {
  const table = new Uint8Array(LAST_MARK + 1);
  for (let code = FIRST_MARK; code <= LAST_MARK; code++) {
    if (MARK.test(String.fromCodePoint(code))) table[code] = 1;
  }
  return table;
}
