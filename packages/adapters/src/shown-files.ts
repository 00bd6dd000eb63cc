import type { Kept, Place } from './collection.ts';
import { pathOf } from './model-path.ts';

const MOST_LINES = 999_999;
const LINE_NUMBER_WIDTH = 6;

/** The number of the line of each occurrence of `part`, from 1. */
export function linesWith(text: string, part: string): number[] {
  const lines: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) lines.push(linesOf(text.slice(0, at)));
  return lines;
}

export function linesOf(text: string): number {
  return text.split('\n').length;
}

export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(index + first).padStart(LINE_NUMBER_WIDTH)}\t${line}`).join('\n');
}

/** A file as Anthropic's memory tool shows it, with line numbers. @throws Error when it has too many lines */
export function shownFile(path: string, text: string, range: readonly number[] | null | undefined): string {
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) {
    throw new Error(`File ${path} exceeds maximum line limit of ${MOST_LINES.toLocaleString('en')} lines.`);
  }
  const [from = 1, to = -1] = range ?? [];
  const first = Math.max(1, from);
  const shown = lines.slice(first - 1, to === -1 ? lines.length : Math.max(0, to));
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, first)}`;
}

interface Entry {
  bytes: number;
  /** Null for a file. */
  readonly entries: Map<string, Entry> | null;
}

/** The files of a folder as Anthropic's memory tool lists them: two levels deep, without hidden ones. */
export function shownFolder(folder: Place, all: readonly Kept[]): string {
  const root: Entry = { bytes: 0, entries: new Map() };
  for (const { place, text } of all) {
    const bytes = new TextEncoder().encode(text).length;
    let entry = root;
    for (const [depth, name] of place.slice(folder.length).entries()) {
      entry.bytes += bytes;
      const entries = entry.entries as Map<string, Entry>;
      const isFile = depth === place.length - folder.length - 1;
      const next = entries.get(name) ?? { bytes: 0, entries: isFile ? null : new Map() };
      entries.set(name, next);
      entry = next;
    }
    entry.bytes = bytes;
  }
  const lines = (entry: Entry, path: string, levels: number): string[] => [
    `${sizeOf(entry.bytes)}\t${path}`,
    ...(levels === 0
      ? []
      : [...(entry.entries ?? [])]
          .filter(([name]) => !name.startsWith('.') && name !== 'node_modules')
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([name, one]) =>
            lines(one, `${path.replace(/\/$/, '')}/${name}${one.entries ? '/' : ''}`, levels - 1),
          )),
  ];
  const path = pathOf(folder);
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines(root, path, 2).join('\n')}`;
}

function sizeOf(bytes: number): string {
  let size = bytes;
  for (const unit of ['B', 'K', 'M']) {
    if (size < 1_024) return `${Number.isInteger(size) ? size : size.toFixed(1)}${unit}`;
    size /= 1_024;
  }
  return `${Number.isInteger(size) ? size : size.toFixed(1)}G`;
}
