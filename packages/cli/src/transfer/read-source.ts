import { posix } from 'node:path';
import { readChatGpt, readClaude, readJsonLines, readMcpMemory, readMem0 } from './foreign.ts';
import { knowledgeGraphRecords } from './knowledge-graph.ts';
import { readMarkdown, ruleRecords } from './markdown.ts';
import { isBrokenNote, noteRecord } from './note.ts';
import { isObject, type MemoryRecord, type Read, type SourceFile } from './record.ts';

export const FORMATS = [
  'mem0',
  'mcp-memory-service',
  'knowledge-graph',
  'chatgpt',
  'claude',
  'jsonl',
  'notes',
  'markdown',
  'rules',
] as const;
export type Format = (typeof FORMATS)[number];

/** Files whose items are rules for agents. */
const RULES = /^(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md$/i;
/** The files that a folder is searched for. */
export const READABLE = /\.(?:md|markdown|json|jsonl|ndjson)$/i;

/** Reads the memories of a file, in the given format or the one that it seems to have. */
export function readSource(file: SourceFile, format?: Format): Read {
  if (format !== undefined) return inFormat(file, format);
  const name = posix.basename(file.path);
  if (/\.(?:md|markdown)$/i.test(name)) {
    if (isBrokenNote(file.text))
      return { records: [], faults: [`${file.path}: a note whose front matter is not YAML any more: mend it`] };
    return inFormat(file, noteRecord(file) ? 'notes' : RULES.test(name) ? 'rules' : 'markdown');
  }
  const graph = readIn(file, 'knowledge-graph');
  if (graph) return graph;
  if (!/\.json$/i.test(name)) return inFormat(file, 'jsonl');
  for (const json of ['chatgpt', 'claude', 'mcp-memory-service', 'mem0'] as const) {
    const read = readIn(file, json);
    if (read) return read;
  }
  return { records: [], faults: [`${file.path}: not a known export; --format names one of ${FORMATS.join(', ')}`] };
}

function inFormat(file: SourceFile, format: Format): Read {
  if (format === 'jsonl') return readJsonLines(file);
  if (format === 'markdown') return readMarkdown(file);
  if (format === 'rules') return { records: ruleRecords(file), faults: [] };
  return readIn(file, format) ?? { records: [], faults: [`${file.path}: not in the format ${format}`] };
}

/** Null where it is not in this format. */
function readIn(file: SourceFile, format: Exclude<Format, 'jsonl' | 'markdown' | 'rules'>): Read | null {
  if (format !== 'notes' && format !== 'knowledge-graph') return readJson(file, format);
  const records = format === 'notes' ? noteRecords(file) : knowledgeGraphRecords(file);
  return records && { records, faults: [] };
}

function noteRecords(file: SourceFile): MemoryRecord[] | null {
  const note = noteRecord(file);
  return note && [note.record];
}

function readJson(
  file: SourceFile,
  format: Exclude<Format, 'jsonl' | 'markdown' | 'rules' | 'notes' | 'knowledge-graph'>,
): Read | null {
  let data: unknown;
  try {
    data = JSON.parse(file.text);
  } catch {
    return null;
  }
  // An empty export fits every format.
  const list = isObject(data) ? (data.memories ?? data.results) : data;
  if (Array.isArray(list) && list.length === 0) return { records: [], faults: [] };
  if (format === 'chatgpt') return readChatGpt(data, file);
  if (format === 'claude') return readClaude(data, file);
  return format === 'mem0' ? readMem0(data, file) : readMcpMemory(data, file);
}

/** Whether consolidation derived it from other memories, and will derive it again. */
export function isDerived({ kind, sources }: MemoryRecord): boolean {
  return kind === 'semantic' && Array.isArray(sources) && sources.length > 0;
}
