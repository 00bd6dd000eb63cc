import {
  filledFields,
  idOf,
  instantOf,
  isObject,
  type MemoryRecord,
  nameOf,
  type Read,
  type SourceFile,
  tagsOf,
  toldTime,
} from './record.ts';

type Fields = Record<string, unknown>;

/** An export of mem0: `{results: [{id, memory, created_at, user_id, ...}]}`, or the list alone. Null for any other format. */
export function readMem0(data: unknown, file: SourceFile): Read | null {
  const list = isObject(data) ? (data.results ?? data.memories) : data;
  return readList(list, file, {
    isItem: ({ memory }) => isText(memory),
    otherwise: 'no text in memory',
    recordsOf: ({
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
      const createdAt = saidAt([created_at], file);
      return record({
        id: idOf(file, 'mem0', String(id ?? hash ?? memory)),
        content: memory,
        created_at: createdAt,
        updated_at: instantOf(updated_at) ?? createdAt,
        session_id: nameOf(run_id),
        tags: tagsOf([...tagsOf(categories), 'mem0']),
        metadata: filledFields({ ...others, ...(isObject(metadata) && metadata), mem0_id: id, user_id, agent_id }),
      });
    },
  });
}

/** The JSON export of mcp-memory-service: `{memories: [{content, content_hash, tags, created_at, ...}]}`, times in seconds. */
export function readMcpMemory(data: unknown, file: SourceFile): Read | null {
  const list = isObject(data) ? data.memories : data;
  return readList(list, file, {
    isItem: ({ content, content_hash }) => isText(content) && typeof content_hash === 'string',
    otherwise: 'no text in content, or no content_hash',
    recordsOf: ({
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
      const createdAt = saidAt([created_at, created_at_iso], file);
      return record({
        id: idOf(file, 'mcp-memory-service', String(content_hash)),
        content,
        created_at: createdAt,
        updated_at: instantOf(updated_at) ?? instantOf(updated_at_iso) ?? createdAt,
        tags: tagsOf(tags),
        metadata: filledFields({ ...others, ...(isObject(metadata) && metadata), memory_type }),
      });
    },
  });
}

/** conversations.json of an export of ChatGPT. Of each conversation it takes the branch that was shown last. */
export function readChatGpt(data: unknown, file: SourceFile): Read | null {
  return readList(data, file, {
    isItem: ({ mapping }) => isObject(mapping),
    otherwise: 'a conversation without its messages (mapping)',
    recordsOf: (fields) => chatGptConversation(fields, file),
  });
}

function chatGptConversation(fields: Fields, file: SourceFile): MemoryRecord[] {
  const { mapping, current_node, title, conversation_id, id, create_time } = fields;
  const nodes = mapping as Record<string, Fields>;
  const conversation = String(conversation_id ?? id ?? current_node);
  return branchOf(nodes, String(current_node)).flatMap((key) => {
    const message = nodes[key]?.message;
    if (!isObject(message) || !isObject(message.author) || !isObject(message.content)) return [];
    const { parts } = message.content;
    const content = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string').join('\n') : '';
    return said(message.author.role, content, {
      id: idOf(file, 'chatgpt', conversation, key),
      created_at: saidAt([message.create_time, create_time], file),
      session_id: nameOf(conversation),
      tags: ['chatgpt'],
      metadata: filledFields({ title }),
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
export function readClaude(data: unknown, file: SourceFile): Read | null {
  return readList(data, file, {
    isItem: ({ chat_messages }) => Array.isArray(chat_messages),
    otherwise: 'a conversation without its messages (chat_messages)',
    recordsOf: ({ uuid, name, created_at, chat_messages }) =>
      (chat_messages as unknown[]).filter(isObject).flatMap((message) => {
        const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
        const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
        const content = texts.length > 0 ? texts.join('\n') : message.text;
        return said(message.sender === 'human' ? 'user' : message.sender, content, {
          id: idOf(file, 'claude', String(uuid), String(message.uuid)),
          created_at: saidAt([message.created_at, created_at], file),
          session_id: nameOf(uuid),
          tags: ['claude'],
          metadata: filledFields({ title: name }),
        });
      }),
  });
}

const UUID = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** One object a line. Records of `export` are taken unchanged; of others, the usual field names for text, time and speaker are read. */
export function readJsonLines(file: SourceFile): Read {
  const { text, path } = file;
  const faults: string[] = [];
  const records = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const fields = jsonOf(line);
    const made = isObject(fields) ? jsonRecord(fields, file) : NO_TEXT;
    if (typeof made === 'object') return made;
    faults.push(`${path}, line ${index + 1}: ${made}`);
    return [];
  });
  return { records, faults };
}

const NO_TEXT = 'no JSON object with a text (content, text, memory or message)';

/** The memory of a line, or why there is none. */
function jsonRecord(fields: Fields, file: SourceFile): MemoryRecord | string {
  const { id, content, created_at } = fields;
  if (typeof id === 'string' && UUID.test(id) && typeof content === 'string' && typeof created_at === 'string')
    return fields as MemoryRecord;
  const words = [content, fields.text, fields.memory, fields.message].find((value) => typeof value === 'string');
  if (!isText(words)) return NO_TEXT;
  const { role, name, session_id, tags, metadata, scope, importance } = fields;
  const told = toldTime([created_at, fields.timestamp, fields.time, fields.date]);
  if ('fault' in told) return told.fault;
  const [made] = record({
    id: idOf(file, 'jsonl', String(id ?? ''), told.time ?? '', String(name ?? role ?? ''), words),
    content: words,
    created_at: told.time ?? file.modifiedAt.toISOString(),
    role: roleOf(role),
    name: nameOf(name),
    session_id: nameOf(session_id),
    tags: tagsOf(tags),
    metadata: isObject(metadata) ? metadata : undefined,
    scope,
    importance,
  });
  return made ?? NO_TEXT;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The times of an item are told, and none of them can be read. */
class UnreadableTime extends Error {}

/** The first of some times that can be read; where none is told, that of the file. @throws UnreadableTime */
function saidAt(times: readonly unknown[], { modifiedAt }: SourceFile): string {
  const told = toldTime(times);
  if ('fault' in told) throw new UnreadableTime(told.fault);
  return told.time ?? modifiedAt.toISOString();
}

/** Messages of tools and systems are not kept. */
function said(role: unknown, content: unknown, fields: Parameters<typeof record>[0]): MemoryRecord[] {
  return role === 'user' || role === 'assistant' ? record({ ...fields, role, content }) : [];
}

function roleOf(value: unknown): MemoryRecord['role'] {
  return value === 'user' || value === 'assistant' || value === 'system' ? value : null;
}

/** Empty where there is no text. */
function record(fields: Fields & { readonly created_at: string }): MemoryRecord[] {
  if (!isText(fields.content)) return [];
  return [filledFields(fields) as unknown as MemoryRecord];
}

interface ListFormat {
  readonly isItem: (fields: Fields) => boolean;
  /** What an item is that is none of the format. */
  readonly otherwise: string;
  /** @throws UnreadableTime */
  readonly recordsOf: (fields: Fields) => MemoryRecord[];
}

/** What the items of a list hold, with a fault for each that is not of the format or has no readable time. Null where none is of it. */
function readList(list: unknown, { path }: SourceFile, { isItem, otherwise, recordsOf }: ListFormat): Read | null {
  const fits = (item: unknown): item is Fields => isObject(item) && isItem(item);
  if (!Array.isArray(list) || !list.some(fits)) return null;
  const faults: string[] = [];
  const records = list.flatMap((item, index) => {
    try {
      if (fits(item)) return recordsOf(item);
      faults.push(`${path}, item ${index + 1}: ${otherwise}`);
    } catch (error) {
      if (!(error instanceof UnreadableTime)) throw error;
      faults.push(`${path}, item ${index + 1}: ${error.message}`);
    }
    return [];
  });
  return { records, faults };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
