import { frontMatterOf } from './note.ts';
import { filledFields, idOf, type MemoryRecord, type Read, type SourceFile, tagsOf, toldTime } from './record.ts';

interface Section {
  /** The heading of this section, after those above it. */
  readonly headings: readonly string[];
  readonly lines: readonly string[];
}

/** The service takes no longer message. Counted in UTF-16 units, of which a text has at least as many as characters. */
const LONGEST_CONTENT = 200_000;
/** More is no heading, and would leave no room for what stands below it. */
const LONGEST_HEADING = 10_000;

/** A text in parts of at most `most` units, cut after the last paragraph, line or word that fits. */
function partsOf(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const fitting = rest.slice(0, most);
    const cut = ['\n\n', '\n', ' '].map((mark) => fitting.lastIndexOf(mark)).find((place) => place > 0);
    // A text without a blank is cut anywhere but within a surrogate pair.
    const end = cut ?? (/[\uD800-\uDBFF]$/.test(fitting) ? most - 1 : most);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

/** One memory for each section of a Markdown file, with its headings; several for a section that is too long for one. */
export function readMarkdown(file: SourceFile): Read {
  const matter = frontMatterOf(file.text);
  const { tags, date, created, ...others } = matter?.fields ?? {};
  const told = toldTime([date, created]);
  if ('fault' in told) return { records: [], faults: [`${file.path}, its front matter: ${told.fault}`] };
  const createdAt = told.time ?? file.modifiedAt.toISOString();
  const records = sectionsOf(matter?.body ?? file.text).flatMap(({ headings, lines }) => {
    const body = lines.join('\n').trim();
    if (lines.every(saysNothing)) return [];
    const [heading = ''] = partsOf(headings.join(' > '), LONGEST_HEADING);
    const above = heading === '' ? '' : `${heading}\n\n`;
    return partsOf(body, LONGEST_CONTENT - above.length).map((part) => ({
      id: idOf(file, 'markdown', file.path, heading, part),
      content: `${above}${part}`,
      created_at: createdAt,
      tags: tagsOf(tags),
      metadata: filledFields({ ...others, file: file.path, heading: heading || null }),
    }));
  });
  return { records, faults: [] };
}

/** One memory for each rule of a CLAUDE.md or AGENTS.md: a list item or a paragraph, with the headings above it. */
export function ruleRecords(file: SourceFile): MemoryRecord[] {
  return sectionsOf(frontMatterOf(file.text)?.body ?? file.text).flatMap(({ headings, lines }) =>
    rulesOf(lines).map((rule) => {
      const [heading = ''] = partsOf(headings.join(' > '), LONGEST_HEADING);
      return {
        id: idOf(file, 'rules', file.path, heading, rule),
        content: heading === '' ? rule : `${heading}: ${rule}`,
        created_at: file.modifiedAt.toISOString(),
        role: 'user' as const,
        tags: ['rules'],
        metadata: filledFields({ file: file.path, heading: heading || null }),
      };
    }),
  );
}

const FENCE = /^ {0,3}(```+|~~~+)/;

/** For each line, whether it belongs to a code block, fences included. */
function fenced(lines: readonly string[]): boolean[] {
  let open: string | null = null;
  return lines.map((line) => {
    const fence = FENCE.exec(line)?.[1];
    const wasOpen = open !== null;
    if (fence && open === null) open = fence;
    else if (fence && open !== null && fence.startsWith(open) && line.trim() === fence) open = null;
    return wasOpen || open !== null;
  });
}

const THEMATIC_BREAK = /^ {0,3}([-*_])(?:[ \t]*\1){2,}\s*$/;

/** Of a line outside of code. */
function saysNothing(line: string): boolean {
  return line.trim() === '' || THEMATIC_BREAK.test(line);
}

function sectionsOf(text: string): Section[] {
  const lines = text.split(/\r?\n/);
  const isCode = fenced(lines);
  const sections: { headings: string[]; lines: string[] }[] = [{ headings: [], lines: [] }];
  const above: string[] = [];
  lines.forEach((line, index) => {
    const [, marks, title] = (isCode[index] ? null : /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line)) ?? [];
    if (marks === undefined || title === undefined) {
      sections.at(-1)?.lines.push(line);
      return;
    }
    above.length = Math.min(above.length, marks.length - 1);
    above[marks.length - 1] = title;
    sections.push({ headings: above.filter((heading) => heading !== undefined), lines: [] });
  });
  return sections;
}

const ITEM = /^(?:[-*+]|\d+[.)])\s+/;

function rulesOf(lines: readonly string[]): string[] {
  const isCode = fenced(lines);
  const rules: string[][] = [];
  let isOpen = false;
  lines.forEach((line, index) => {
    const isItem = !isCode[index] && ITEM.test(line);
    const isBlank = !isCode[index] && saysNothing(line);
    // Indented lines after an item belong to it, even after blank lines.
    const goesOn = isOpen || /^\s+\S/.test(line) || (isCode[index] && (isCode[index - 1] ?? false));
    if (!isBlank && (isItem || !goesOn || rules.length === 0)) rules.push([line.replace(ITEM, '')]);
    else if (!isBlank) rules.at(-1)?.push(line);
    isOpen = !isBlank;
  });
  return rules.map((rule) => rule.join('\n').trim()).filter(Boolean);
}
