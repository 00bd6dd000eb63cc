/**
 * A line of the frame around a context (see recall/context/frame.ts), also escaped for HTML or JSON, and wrapped or quoted in the middle.
 * Group 1: an end line; group 2: a begin line exactly as the service writes it. All repetitions are bounded, because a message
 * has up to 200,000 characters.
 */
const MARK =
  /(?:<|&lt;|\\u003c)\s{0,8}(\/?)\s{0,8}remembered(?![\w-])([\s>|*#]{0,16}note(?![\w-]))?[^<>\n&]{0,80}(?:>|&gt;|\\u003e)?/gi;
/** The marks that mails and chats put before a quoted line. */
const QUOTING = /[ \t>|]/;
/** A line of quoting marks alone; the frame holds none. */
const BLANK_LINE = /\n[ \t>|]*\r?\n/;
/** A line of a context. */
const REMEMBERED_LINE = /(?:^|\n)[ \t>|]*[-*•] \d{4}-\d\d-\d\d /;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/**
 * A message without the contexts that it quotes, so that memories are not stored again as words of whoever quotes them. Of a frame
 * without an end, the rest of the paragraph is removed; of a frame without a begin, the context lines before the end.
 * @returns null when nothing else was said
 * @complexity O(characters)
 */
export function withoutFrames(content: string): string | null {
  const marks = marksIn(content);
  const parts: string[] = [];
  let from = 0;
  for (const [place, mark] of marks.entries()) {
    if (mark.start < from) continue;
    const read = Math.max(from, marks[place - 1]?.end ?? 0);
    const cut = mark.isEnd ? framedBefore(content, mark, read) : framedFrom(content, mark);
    if (!cut) continue;
    parts.push(content.slice(from, cut.start));
    from = cut.end;
  }
  if (from === 0) return content;
  const left = [...parts, content.slice(from)].join('').trim();
  return SAYS_SOMETHING.test(left) ? left : null;
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

interface Mark extends Cut {
  readonly isEnd: boolean;
  /** Whether it is a begin line exactly as the service writes it. */
  readonly isWhole: boolean;
  /** The position after the next end line; null where there is none. */
  readonly closedAt: number | null;
}

function marksIn(content: string): Mark[] {
  const marks: Mark[] = [];
  let closedAt: number | null = null;
  for (const found of [...content.matchAll(MARK)].reverse()) {
    const end = found.index + found[0].length;
    const isEnd = found[1] !== '';
    if (isEnd) closedAt = end;
    marks.push({ start: found.index, end, isEnd, isWhole: found[2] !== undefined, closedAt });
  }
  return marks.reverse();
}

/** Removes up to the next end line; where none follows an exact begin line, up to the end of the paragraph. */
function framedFrom(content: string, begin: Mark): Cut | null {
  const start = beforeQuoting(content, begin.start);
  if (begin.closedAt !== null) return { start, end: begin.closedAt };
  if (!begin.isWhole) return null;
  const rest = content.slice(begin.end).search(BLANK_LINE);
  return { start, end: rest === -1 ? content.length : begin.end + rest };
}

/** Removes from the first context line of the paragraph. */
function framedBefore(content: string, end: Mark, from: number): Cut | null {
  const before = content.slice(from, end.start);
  const paragraph = before.split(BLANK_LINE).at(-1) as string;
  const line = REMEMBERED_LINE.exec(paragraph);
  return line && { start: end.start - paragraph.length + line.index, end: end.end };
}

/** The start of the line where only quoting marks stand before the position, else the position. */
function beforeQuoting(content: string, at: number): number {
  let start = at;
  while (start > 0 && QUOTING.test(content.charAt(start - 1))) start--;
  return start === 0 || content[start - 1] === '\n' ? start : at;
}
