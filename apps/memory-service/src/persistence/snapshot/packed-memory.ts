import { type Entity, KINDS, type Memory, type Role, SCOPES, SOURCES_BY_TRUST } from '../../domain/memory/memory.ts';
import { plainTags } from '../../domain/memory/plain-tags.ts';
import type { PackedBlock } from '../../store/records/packed-memories.ts';
import { PackedReader } from '../files/packed-bytes.ts';

export const ROLES: readonly (Role | null)[] = [null, 'user', 'assistant', 'system'];
export const ID_BYTES = 16;

/** What a record begins with: a bit for each field that most records do without. */
export const PART = {
  /** The whole memory as the line of JSON that memories.json has, because it has what few have. */
  line: 1,
  content: 2,
  gistEdited: 4,
  updated: 8,
  key: 16,
  metadata: 32,
  superseded: 64,
  consolidated: 128,
  /** In the second byte. */
  otherId: 1,
  recalled: 2,
  found: 4,
  reading: 8,
  compared: 16,
  recalledBy: 32,
} as const;

/** Bits of the second byte that mean something; a newer version may know more. */
export const KNOWN_OTHERS = 0b11_1111;

/** The bytes that these bits take. */
const MARK_BYTES = 2;

/** Shared by all memories that have none. */
const NO_TAGS: readonly string[] = Object.freeze([]);
const NO_METADATA: Memory['metadata'] = Object.freeze({});

/** Records whose memories may be unpacked after all of the file was read. */
export class Block implements PackedBlock {
  readonly #bytes: Buffer;
  readonly #known: KnownNames;

  constructor(bytes: Buffer, known: KnownNames) {
    this.#bytes = bytes;
    this.#known = known;
  }

  unpack(offset: number): Memory {
    const reader = new PackedReader(this.#bytes, offset);
    return unpackMemory(reader, { parts: reader.byte(), others: reader.byte(), known: this.#known });
  }

  idOf(offset: number): string {
    return unpackId(new PackedReader(this.#bytes, offset + MARK_BYTES), this.#othersOf(offset));
  }

  readId(offset: number, into: Int32Array): boolean {
    if (this.#othersOf(offset) & PART.otherId) return false;
    const first = offset + MARK_BYTES;
    for (let word = 0; word < into.length; word++)
      into[word] = this.#bytes.readInt32BE(first + word * Int32Array.BYTES_PER_ELEMENT);
    return true;
  }

  /** The second byte of a record. */
  #othersOf(offset: number): number {
    return this.#bytes[offset + 1] as number;
  }
}

/** What stands in many records of a file. */
export class KnownNames {
  readonly #names: string[] = [];
  readonly #entities: (readonly [Entity])[] = [];
  /** Of each entity. */
  readonly entityNames: string[] = [];

  name(reader: PackedReader): string | null {
    const number = reader.varint();
    if (number === 0) return null;
    return number > 1 ? (this.#names[number - 2] as string) : reader.text();
  }

  /** The same of one that is read for the first time: a new one gets the next number. */
  noteName(reader: PackedReader): string | null {
    const number = reader.varint();
    if (number === 0) return null;
    if (number > 1) return this.#names[number - 2] as string;
    const name = reader.text();
    this.#names.push(name);
    return name;
  }

  /** Of entities that are read for the first time; each new one gets the next number. */
  entityNumbers(reader: PackedReader): readonly number[] {
    return listOf(reader.varint(), () => {
      const number = reader.varint();
      if (number > 1) return number - 2;
      const entity = alone(reader.text(), this.noteName(reader));
      this.entityNames.push(entity[0].name);
      return this.#entities.push(entity) - 1;
    });
  }

  entities(reader: PackedReader): readonly Entity[] {
    const length = reader.varint();
    if (length === 1) return this.#entity(reader);
    return listOf(length, () => this.#entity(reader)[0]);
  }

  /** @returns a list of it alone, which all memories share that name nothing else */
  #entity(reader: PackedReader): readonly [Entity] {
    const number = reader.varint();
    if (number > 1) return this.#entities[number - 2] as readonly [Entity];
    return alone(reader.text(), this.name(reader));
  }
}

function alone(name: string, type: string | null): readonly [Entity] {
  return Object.freeze([{ name, type: type as Entity['type'] }] as const);
}

function unpackMemory(
  reader: PackedReader,
  { parts, others, known }: { parts: number; others: number; known: KnownNames },
): Memory {
  const id = unpackId(reader, others);
  const gist = reader.text();
  const content = parts & PART.content ? reader.text() : gist;
  const tags = plainTags(listOf(reader.varint(), () => known.name(reader) as string));
  const importance = reader.double();
  const agentId = known.name(reader) as string;
  const sessionId = known.name(reader);
  const project = known.name(reader);
  const name = known.name(reader);
  const marks = reader.byte();
  const entities = known.entities(reader);
  const createdAt = reader.double();
  const updatedAt = parts & PART.updated ? reader.double() : createdAt;
  const idempotencyKey = parts & PART.key ? reader.text() : null;
  const metadata = parts & PART.metadata ? (JSON.parse(reader.text()) as Memory['metadata']) : NO_METADATA;
  const supersededBy = parts & PART.superseded ? reader.text() : null;
  const consolidatedInto = parts & PART.consolidated ? reader.text() : null;
  return {
    id,
    gist,
    content,
    gistEdited: (parts & PART.gistEdited) !== 0,
    tags,
    importance,
    agentId,
    sessionId,
    scope: scopeIn(marks),
    project,
    kind: kindIn(marks),
    role: roleIn(marks),
    name,
    source: SOURCES_BY_TRUST[marks >> 5] as Memory['source'],
    entities,
    createdAt,
    updatedAt,
    sources: NO_TAGS,
    consolidatedInto,
    supersededBy,
    supersession: null,
    validFrom: null,
    validUntil: null,
    invalidation: null,
    expiresAt: null,
    metadata,
    idempotencyKey,
  };
}

function unpackId(reader: PackedReader, others: number): string {
  return others & PART.otherId ? reader.text() : reader.hex(ID_BYTES);
}

export function kindIn(marks: number): Memory['kind'] {
  return KINDS[marks & 1] as Memory['kind'];
}

export function scopeIn(marks: number): Memory['scope'] {
  return SCOPES[(marks >> 1) & 3] as Memory['scope'];
}

export function roleIn(marks: number): Memory['role'] {
  return ROLES[(marks >> 3) & 3] as Memory['role'];
}

export function listOf<T>(length: number, read: () => T): readonly T[] {
  if (length === 0) return NO_TAGS as readonly never[];
  const items: T[] = new Array(length);
  for (let index = 0; index < length; index++) items[index] = read();
  return items;
}
