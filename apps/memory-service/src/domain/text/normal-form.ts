/** Marks behind one another before a break: more than any language has. As in the Stream-Safe Text Format, UAX #15, D4. */
const LONGEST_RUN = 30;
/** The combining grapheme joiner: nothing is sorted across it. */
const BREAK = '\u034f';
/** No mark lies below, and none that is sorted lies above. */
const FIRST_MARK = 0x300;
const LAST_MARK = 0x1ffff;
/** Also the two signs of half-width kana that become marks. */
const MARK = /^[\p{M}\uff9e\uff9f]$/u;

let marks: Uint8Array | undefined;

/**
 * A text in one of the normal forms of Unicode, in linear time: a normalisation sorts the marks behind a letter, and sorting
 * 200,000 of them takes 20 seconds. Only a text with more than 30 marks behind one another comes out otherwise, with breaks in it.
 * Source: https://unicode.org/reports/tr15/#Stream_Safe_Text_Format
 * @complexity O(characters)
 */
export function normalForm(text: string, form: 'NFKC' | 'NFKD'): string {
  return withBreaks(text).normalize(form);
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

/** 128 kB, made in 10 ms by the first text that is not Latin. */
function markTable(): Uint8Array {
  const table = new Uint8Array(LAST_MARK + 1);
  for (let code = FIRST_MARK; code <= LAST_MARK; code++) {
    if (MARK.test(String.fromCodePoint(code))) table[code] = 1;
  }
  return table;
}
