import { idOf, isObject, type MemoryRecord, type SourceFile, tagsOf } from './record.ts';

interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/**
 * The graph of the reference memory server of MCP: its file, an entity or a relation a line, or what its `read_graph` answers. A
 * memory for each observation and each relation. Null for any other format.
 */
export function knowledgeGraphRecords(file: SourceFile): MemoryRecord[] | null {
  const items = itemsOf(file.text);
  if (items === null || !items.every((item) => isEntity(item) || isRelation(item))) return null;
  return items.flatMap((item) =>
    isEntity(item) ? entityRecords(item, file) : relationRecords(item as Relation, file),
  );
}

function itemsOf(text: string): unknown[] | null {
  try {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const items = lines.map((line): unknown => JSON.parse(line));
    const isFile = items.length > 0 && items.every((item) => isObject(item) && typeof item.type === 'string');
    if (isFile) return items;
  } catch {
    // Not an object a line: one object over several lines, or no JSON at all.
  }
  return answerItems(text);
}

function answerItems(text: string): unknown[] | null {
  try {
    const graph: unknown = JSON.parse(text);
    if (!isObject(graph) || !Array.isArray(graph.entities) || !Array.isArray(graph.relations)) return null;
    return [...graph.entities, ...graph.relations];
  } catch {
    return null;
  }
}

function isEntity(item: unknown): item is Entity {
  if (!isObject(item) || !areTexts(item.name, item.entityType) || !Array.isArray(item.observations)) return false;
  return areTexts(...item.observations);
}

function isRelation(item: unknown): item is Relation {
  return isObject(item) && areTexts(item.from, item.to, item.relationType);
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function entityRecords({ name, entityType, observations }: Entity, file: SourceFile): MemoryRecord[] {
  const told = [...new Set(observations)].filter((observation) => observation.trim() !== '');
  const texts = told.length === 0 ? [`${name}: ${entityType}`] : told.map((observation) => `${name}: ${observation}`);
  return texts.map((content) => record(content, tagsOf([entityType]), file));
}

/** `Ivo works at Acme`, of `works_at`. */
function relationRecords({ from, to, relationType }: Relation, file: SourceFile): MemoryRecord[] {
  return [record(`${from} ${relationType.replaceAll('_', ' ')} ${to}`, [], file)];
}

function record(content: string, tags: readonly string[], file: SourceFile): MemoryRecord {
  return {
    id: idOf(file, 'mcp-knowledge-graph', content),
    content,
    created_at: file.modifiedAt.toISOString(),
    tags: [...tags, 'knowledge-graph'],
  } as MemoryRecord;
}
