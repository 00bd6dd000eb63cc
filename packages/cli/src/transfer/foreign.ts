import {
  filledFields,
  idOf,
  instantOf,
  isObject,
  type MemoryRecord,
  nameOf,
  type SourceFile,
  tagsOf,
} from './record.ts';

type Fields = Record<string, unknown>;

/** An export of mem0: `{results: [{id, memory, created_at, user_id, ...}]}`, or the list alone. Null for any other format. */
export function mem0Records(data: unknown, file: SourceFile): MemoryRecord[] | null {
  const list = isObject(data) ? (data.results ?? data.memories) : data;
  if (!isListOf(list, ({ memory }) => typeof memory === 'string')) return null;
  return list.flatMap(
    ({
      id,
      memory,
      created_at,
      updated_at,
      metadata,
      categories,
      hash,
      user_id,
      agent_id,
      run_id,
      score,
      ...others
    }) => {
      const createdAt = instantOf(created_at) ?? file.modifiedAt.toISOString();
      return record({
        id: idOf('mem0', String(id ?? hash ?? memory)),
        content: memory,
        created_at: createdAt,
        updated_at: instantOf(updated_at) ?? createdAt,
        session_id: nameOf(run_id),
        tags: tagsOf([...tagsOf(categories), 'mem0']),
        metadata: filledFields({ ...others, ...(isObject(metadata) && metadata), mem0_id: id, user_id, agent_id }),
      });
    },
  );
}

/** The JSON export of mcp-memory-service: `{memories: [{content, content_hash, tags, created_at, ...}]}`, times in seconds. */
export function mcpMemoryRecords(data: unknown, file: SourceFile): MemoryRecord[] | null {
  const list = isObject(data) ? data.memories : data;
  if (!isListOf(list, ({ content, content_hash }) => typeof content === 'string' && typeof content_hash === 'string'))
    return null;
  return list.flatMap(
    ({
      content,
      content_hash,
      tags,
      created_at,
      created_at_iso,
      updated_at,
      updated_at_iso,
      metadata,
      memory_type,
      embedding,
      ...others
    }) => {
      const createdAt = instantOf(created_at) ?? instantOf(created_at_iso) ?? file.modifiedAt.toISOString();
      return record({
        id: idOf('mcp-memory-service', String(content_hash)),
        content,
        created_at: createdAt,
        updated_at: instantOf(updated_at) ?? instantOf(updated_at_iso) ?? createdAt,
        tags: tagsOf(tags),
        metadata: filledFields({ ...others, ...(isObject(metadata) && metadata), memory_type }),
      });
    },
  );
}

/** conversations.json of an export of ChatGPT. Of each conversation it takes the branch that was shown last. */
export function chatGptRecords(data: unknown): MemoryRecord[] | null {
  if (!isListOf(data, ({ mapping }) => isObject(mapping))) return null;
  return data.flatMap(({ mapping, current_node, title, conversation_id, id, create_time }) => {
    const nodes = mapping as Record<string, Fields>;
    const conversation = String(conversation_id ?? id ?? current_node);
    return branchOf(nodes, String(current_node)).flatMap((key) => {
      const message = nodes[key]?.message;
      if (!isObject(message) || !isObject(message.author) || !isObject(message.content)) return [];
      const { parts } = message.content;
      const content = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string').join('\n') : '';
      const createdAt = instantOf(message.create_time) ?? instantOf(create_time);
      return said(message.author.role, content, {
        id: idOf('chatgpt', conversation, key),
        created_at: createdAt,
        session_id: nameOf(conversation),
        tags: ['chatgpt'],
        metadata: filledFields({ title }),
      });
    });
  });
}

/** The messages from the first one to the named one. */
function branchOf(nodes: Record<string, Fields>, last: string): string[] {
  const keys = new Set<string>();
  for (
    let key: unknown = last;
    typeof key === 'string' && Object.hasOwn(nodes, key) && !keys.has(key);
    key = nodes[key]?.parent
  )
    keys.add(key);
  return [...keys].reverse();
}

/** conversations.json of an export of Claude. */
export function claudeRecords(data: unknown): MemoryRecord[] | null {
  if (!isListOf(data, ({ chat_messages }) => Array.isArray(chat_messages))) return null;
  return data.flatMap(({ uuid, name, chat_messages }) =>
    (chat_messages as unknown[]).filter(isObject).flatMap((message) => {
      const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
      const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
      const content = texts.length > 0 ? texts.join('\n') : message.text;
      return said(message.sender === 'human' ? 'user' : message.sender, content, {
        id: idOf('claude', String(uuid), String(message.uuid)),
        created_at: instantOf(message.created_at),
        session_id: nameOf(uuid),
        tags: ['claude'],
        metadata: filledFields({ title: name }),
      });
    }),
  );
}

const UUID = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** One object a line. Records of `export` are taken unchanged; of others, the usual field names for text, time and speaker are read. */
export function jsonLineRecords({ text, path, modifiedAt }: SourceFile): { records: MemoryRecord[]; faults: string[] } {
  const faults: string[] = [];
  const records = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const fields = jsonOf(line);
    const made = isObject(fields) ? jsonRecord(fields, modifiedAt) : null;
    if (!made) faults.push(`${path}, line ${index + 1}: no JSON object with a text (content, text, memory or message)`);
    return made ?? [];
  });
  return { records, faults };
}

function jsonRecord(fields: Fields, modifiedAt: Date): MemoryRecord | null {
  const { id, content, created_at } = fields;
  if (typeof id === 'string' && UUID.test(id) && typeof content === 'string' && typeof created_at === 'string')
    return fields as MemoryRecord;
  const words = [content, fields.text, fields.memory, fields.message].find((value) => typeof value === 'string');
  if (typeof words !== 'string' || words.trim() === '') return null;
  const { role, name, session_id, tags, metadata, scope, importance } = fields;
  const at = [created_at, fields.timestamp, fields.time, fields.date].map(instantOf).find((value) => value !== null);
  const [made] = record({
    id: idOf('jsonl', String(id ?? ''), at ?? '', String(name ?? role ?? ''), words),
    content: words,
    created_at: at ?? modifiedAt.toISOString(),
    role: roleOf(role),
    name: nameOf(name),
    session_id: nameOf(session_id),
    tags: tagsOf(tags),
    metadata: isObject(metadata) ? metadata : undefined,
    scope,
    importance,
  });
  return made ?? null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Messages of tools and systems are not kept. */
function said(role: unknown, content: unknown, fields: Fields): MemoryRecord[] {
  return role === 'user' || role === 'assistant' ? record({ ...fields, role, content }) : [];
}

function roleOf(value: unknown): MemoryRecord['role'] {
  return value === 'user' || value === 'assistant' || value === 'system' ? value : null;
}

/** Empty when the text or the time is missing. */
function record(fields: Fields): MemoryRecord[] {
  const { content, created_at } = fields;
  if (typeof content !== 'string' || content.trim() === '' || created_at === null) return [];
  return [filledFields(fields) as unknown as MemoryRecord];
}

function isListOf(value: unknown, test: (fields: Fields) => boolean): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && test(item));
}
