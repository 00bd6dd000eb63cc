import { posix } from 'node:path';
import { chatGptRecords, claudeRecords, jsonLineRecords, mcpMemoryRecords, mem0Records } from './foreign.ts';
import { knowledgeGraphRecords } from './knowledge-graph.ts';
import { markdownRecords, ruleRecords } from './markdown.ts';
import { noteRecord } from './note.ts';
import { isObject, type MemoryRecord, type SourceFile } from './record.ts';

/** The memories of a file, and the parts that cannot be read. */
export interface Read {
  readonly records: readonly MemoryRecord[];
  readonly faults: readonly string[];
}

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
    return inFormat(file, noteRecord(file) ? 'notes' : RULES.test(name) ? 'rules' : 'markdown');
  }
  const graph = inFormat(file, 'knowledge-graph');
  if (graph.faults.length === 0) return graph;
  if (!/\.json$/i.test(name)) return inFormat(file, 'jsonl');
  for (const json of ['chatgpt', 'claude', 'mcp-memory-service', 'mem0'] as const) {
    const read = inFormat(file, json);
    if (read.faults.length === 0) return read;
  }
  return { records: [], faults: [`${file.path}: not a known export; --format names one of ${FORMATS.join(', ')}`] };
}

function inFormat(file: SourceFile, format: Format): Read {
  if (format === 'jsonl') return jsonLineRecords(file);
  if (format === 'markdown') return { records: markdownRecords(file), faults: [] };
  if (format === 'rules') return { records: ruleRecords(file), faults: [] };
  const records = recordsIn(file, format);
  return records ? { records, faults: [] } : { records: [], faults: [`${file.path}: not in the format ${format}`] };
}

function recordsIn(file: SourceFile, format: Exclude<Format, 'jsonl' | 'markdown' | 'rules'>): MemoryRecord[] | null {
  if (format === 'notes') return noteRecords(file);
  return format === 'knowledge-graph' ? knowledgeGraphRecords(file) : jsonRecords(file, format);
}

function noteRecords(file: SourceFile): MemoryRecord[] | null {
  const note = noteRecord(file);
  return note && [note.record];
}

function jsonRecords(
  file: SourceFile,
  format: Exclude<Format, 'jsonl' | 'markdown' | 'rules' | 'notes' | 'knowledge-graph'>,
): MemoryRecord[] | null {
  let data: unknown;
  try {
    data = JSON.parse(file.text);
  } catch {
    return null;
  }
  // An empty export fits every format.
  const list = isObject(data) ? (data.memories ?? data.results) : data;
  if (Array.isArray(list) && list.length === 0) return [];
  if (format === 'chatgpt') return chatGptRecords(data);
  if (format === 'claude') return claudeRecords(data);
  return format === 'mem0' ? mem0Records(data, file) : mcpMemoryRecords(data, file);
}

/** Whether consolidation derived it from other memories, and will derive it again. */
export function isDerived({ kind, sources }: MemoryRecord): boolean {
  return kind === 'semantic' && Array.isArray(sources) && sources.length > 0;
}
