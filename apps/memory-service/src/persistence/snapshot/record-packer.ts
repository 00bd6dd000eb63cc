import {
  type Entity,
  KINDS,
  type Memory,
  SCOPES,
  SOURCES_BY_TRUST,
  type Strength,
} from '../../domain/memory/memory.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import type { SnapshotRecord } from '../../store/records/snapshot-records.ts';
import { comparisonToWire } from '../files/contradiction-line.ts';
import { memoryToWire } from '../files/memory-line.ts';
import type { PackedWriter } from '../files/packed-bytes.ts';
import { PART, ROLES } from './packed-memory.ts';

// What stands in many records is written where it occurs first, and by its number after that: 0 for null, 1 for a new one that
// follows, n + 2 for number n.
// What an earlier version would misread takes another magic in packed-file.ts, or a new bit of the second byte, which it refuses.

const UNDASHED_ID = /^[0-9a-f]{32}$/;

/** Writes the records of one file, in order. */
export class RecordPacker {
  readonly #names = new Map<string, number>();
  readonly #entities = new Map<string, number>();
  readonly #terms = new Map<string, number>();

  /** @param record.reading absent: it is not written */
  pack(writer: PackedWriter, record: SnapshotRecord): void {
    const { memory, strength, rows, comparison, reading, ...others } = record;
    others satisfies Record<string, never>;
    const isLine = hasRareParts(memory);
    const isOtherId = !UNDASHED_ID.test(memory.id);
    const hasFound = (comparison?.found.length ?? 0) > 0;
    const isCompared = comparison !== undefined && (comparison.by !== null || hasFound);
    writer.byte(
      (isLine ? PART.line : 0) |
        (memory.content === memory.gist ? 0 : PART.content) |
        (memory.gistEdited ? PART.gistEdited : 0) |
        (memory.updatedAt === memory.createdAt ? 0 : PART.updated) |
        (memory.idempotencyKey === null ? 0 : PART.key) |
        (isEmpty(memory.metadata) ? 0 : PART.metadata) |
        (memory.supersededBy === null ? 0 : PART.superseded) |
        (memory.consolidatedInto === null ? 0 : PART.consolidated),
    );
    writer.byte(
      (isOtherId ? PART.otherId : 0) |
        (strength.lastRecalledAt === null ? 0 : PART.recalled) |
        (hasFound ? PART.found : 0) |
        (reading ? PART.reading : 0) |
        (isCompared ? PART.compared : 0) |
        (strength.recalledBy === undefined ? 0 : PART.recalledBy),
    );
    if (isLine) writer.text(JSON.stringify(memoryToWire(memory)));
    else this.#packMemory(writer, memory, { isOtherId });
    this.#packStrength(writer, strength);
    writer.varint(rows ? rows.count + 1 : 0);
    if (isCompared) this.#name(writer, comparison.by);
    if (hasFound) writer.text(JSON.stringify(comparisonToWire(comparison)));
    if (reading) this.#packReading(writer, reading);
  }

  #packMemory(writer: PackedWriter, memory: Memory, { isOtherId }: { isOtherId: boolean }): void {
    if (isOtherId) writer.text(memory.id);
    else writer.hex(memory.id);
    writer.text(memory.gist);
    if (memory.content !== memory.gist) writer.text(memory.content);
    writer.varint(memory.tags.length);
    for (const tag of memory.tags) this.#name(writer, tag);
    writer.double(memory.importance);
    this.#name(writer, memory.agentId);
    this.#name(writer, memory.sessionId);
    this.#name(writer, memory.project);
    this.#name(writer, memory.name);
    writer.byte(
      KINDS.indexOf(memory.kind) |
        (SCOPES.indexOf(memory.scope) << 1) |
        (ROLES.indexOf(memory.role) << 3) |
        (SOURCES_BY_TRUST.indexOf(memory.source) << 5),
    );
    writer.varint(memory.entities.length);
    for (const entity of memory.entities) this.#entity(writer, entity);
    writer.double(memory.createdAt);
    if (memory.updatedAt !== memory.createdAt) writer.double(memory.updatedAt);
    if (memory.idempotencyKey !== null) writer.text(memory.idempotencyKey);
    if (!isEmpty(memory.metadata)) writer.text(JSON.stringify(memory.metadata));
    if (memory.supersededBy !== null) writer.text(memory.supersededBy);
    if (memory.consolidatedInto !== null) writer.text(memory.consolidatedInto);
  }

  #packStrength(writer: PackedWriter, strength: Readonly<Strength>): void {
    const { lastRecalledAt, recallCount, stabilityDays, recalledBy, ...others } = strength;
    others satisfies Record<string, never>;
    if (lastRecalledAt !== null) writer.double(lastRecalledAt);
    writer.varint(recallCount);
    writer.double(stabilityDays);
    if (recalledBy === undefined) return;
    writer.varint(recalledBy.length);
    for (const { agentId, at } of recalledBy) {
      this.#name(writer, agentId);
      writer.double(at);
    }
  }

  #packReading(writer: PackedWriter, { flags, words, terms }: TextReading): void {
    writer.byte(flags);
    writer.varint(words);
    writer.varint(terms.length);
    for (const term of terms) numbered(writer, this.#terms, term, () => writer.text(term));
  }

  #name(writer: PackedWriter, name: string | null): void {
    if (name === null) writer.varint(0);
    else numbered(writer, this.#names, name, () => writer.text(name));
  }

  #entity(writer: PackedWriter, { name, type }: Entity): void {
    numbered(writer, this.#entities, `${type} ${name}`, () => {
      writer.text(name);
      this.#name(writer, type);
    });
  }
}

function numbered(writer: PackedWriter, known: Map<string, number>, key: string, writeNew: () => void): void {
  const number = known.get(key);
  if (number !== undefined) {
    writer.varint(number + 2);
    return;
  }
  known.set(key, known.size);
  writer.varint(1);
  writeNew();
}

/** Whether it has what is not worth a place of its own in a record. Whoever adds a field to a memory is told here. */
function hasRareParts(memory: Memory): boolean {
  const {
    id: _id,
    gist: _gist,
    content: _content,
    gistEdited: _gistEdited,
    tags: _tags,
    importance: _importance,
    agentId: _agentId,
    sessionId: _sessionId,
    scope: _scope,
    project: _project,
    kind: _kind,
    role: _role,
    name: _name,
    source: _source,
    entities: _entities,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    consolidatedInto: _consolidatedInto,
    supersededBy: _supersededBy,
    metadata: _metadata,
    idempotencyKey: _idempotencyKey,
    sources,
    supersession,
    validFrom,
    validUntil,
    invalidation,
    expiresAt,
    tellings,
    absorbed,
    own,
    ...others
  } = memory;
  others satisfies Record<string, never>;
  return (
    sources.length > 0 ||
    tellings !== undefined ||
    absorbed !== undefined ||
    own !== undefined ||
    [supersession, validFrom, validUntil, invalidation, expiresAt].some((part) => part !== null)
  );
}

function isEmpty(metadata: Memory['metadata']): boolean {
  for (const _ in metadata) return false;
  return true;
}
