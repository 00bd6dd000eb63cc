import { createHash } from 'node:crypto';
import { parse, stringify } from 'yaml';
import { isObject, type MemoryRecord, type SourceFile } from './record.ts';

const HASH_FIELD = 'export_hash';
/** At the beginning of the text, before which no character stands: further down the same lines are thematic breaks. */
const FRONT_MATTER = /(?<!.)---\r?\n(.*?)^---(?:\r?\n|$)/ms;

/** A memory as a Markdown file: the text, below a front matter with all other fields. `noteRecord` reads it back. */
export function noteOf(record: MemoryRecord): string {
  const { content, ...fields } = record;
  const matter = { ...fields, [HASH_FIELD]: hashOf(fields, content) };
  return `---\n${stringify(matter, { blockQuote: false, lineWidth: 0 })}---\n${content}\n`;
}

/**
 * The memory of a file that `noteOf` has written. When somebody has changed the file, the memory has the time of that change, and
 * everything that was derived from the old text is left out, so that it is made again. Null for other files.
 */
export function noteRecord({
  text,
  modifiedAt,
}: Pick<SourceFile, 'text' | 'modifiedAt'>): { record: MemoryRecord; isEdited: boolean } | null {
  const parts = frontMatterOf(text);
  const { [HASH_FIELD]: hash, ...fields } = parts?.fields ?? {};
  if (!parts || typeof hash !== 'string' || typeof fields.id !== 'string') return null;
  const content = parts.body.replace(/\n$/, '');
  const record = { ...fields, content } as unknown as MemoryRecord;
  if (hashOf(fields, content) === hash) return { record, isEdited: false };
  const isSameText = hash.endsWith(shortHash(content));
  const { gist, gist_edited, entities, vectors, ...kept } = record;
  const own = {
    ...(isSameText || gist_edited ? { gist } : {}),
    ...(!isSameText && gist_edited ? { gist_edited } : {}),
  };
  const updated_at = modifiedAt.toISOString();
  return { record: { ...kept, ...own, content: content.trim(), updated_at } as MemoryRecord, isEdited: true };
}

/** Whether `noteOf` has written the file, and somebody has changed it so that its front matter is not YAML any more. */
export function isBrokenNote(text: string): boolean {
  const [, matter = ''] = FRONT_MATTER.exec(text) ?? [];
  return new RegExp(`^${HASH_FIELD}:`, 'm').test(matter) && frontMatterOf(text) === null;
}

/** The front matter and the text after it; null without a front matter, or when it is not YAML. */
export function frontMatterOf(text: string): { fields: Record<string, unknown>; body: string } | null {
  const [whole, matter = ''] = FRONT_MATTER.exec(text) ?? [];
  if (whole === undefined) return null;
  try {
    // YAML also has what goes into no memory, such as a list within itself.
    const fields: unknown = JSON.parse(JSON.stringify(parse(matter, { logLevel: 'error' }) ?? {}));
    return isObject(fields) ? { fields, body: text.slice(whole.length) } : null;
  } catch {
    return null;
  }
}

/** A readable file name, and its suffix, by which the file is found after the words have changed. */
export function noteName({ id, content, gist }: MemoryRecord): { name: string; end: string } {
  const words = String(gist ?? content)
    .normalize('NFC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 8)
    .join(' ')
    .slice(0, 60)
    .trim();
  const end = `${id.replaceAll('-', '').slice(-12)}.md`;
  return { name: `${words === '' ? 'memory' : words} ${end}`, end };
}

/** A hash of the fields, in any order, and one of the text. */
function hashOf(fields: Record<string, unknown>, content: string): string {
  return `${shortHash(ordered(fields))}-${shortHash(content)}`;
}

function shortHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, ordered(field)]);
}
