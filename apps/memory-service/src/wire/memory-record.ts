import { parseAgentId, parseSessionId } from '@agent-faculties/agent-identity';
import {
  InvalidInputError,
  instantField,
  isName,
  type JsonFields,
  nameField,
  nameOrNullField,
  oneOfField,
} from '@agent-faculties/service-kit';
import { initialStrength } from '../domain/cognition/retention.ts';
import { vectorsToBase64 } from '../domain/embedding/vector-base64.ts';
import type { VectorModel } from '../domain/embedding/vector-model.ts';
import { importanceOf } from '../domain/ingest/importance.ts';
import { checkedMetadata, checkedTimestamp, trimmedText } from '../domain/memory/limits.ts';
import {
  type Entity,
  type EntityType,
  KINDS,
  type Memory,
  ORIGINS,
  recallText,
  SCOPES,
  type Strength,
} from '../domain/memory/memory.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { readEntities } from '../domain/text/entities.ts';
import { gistOf } from '../domain/text/gist.ts';
import type { MergeRecord } from '../domain/transfer/merge-record.ts';
import { checkedVectors } from '../domain/transfer/vectors.ts';
import { memoryView } from './memory-view.ts';

/** A UUID, with its dashes or without, as this service gives them. */
const ID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Of a semantic memory: far more than consolidation gathers into one. */
const MOST_SOURCES = 10_000;
const MOST_TAGS = 64;
const MOST_ENTITIES = 256;
const MOST_ENTITY_CHARACTERS = 2_048;
const MOST_RECALLS = 1_000_000_000;
/** A century, as in the retention of memories. */
const MOST_STABILITY_DAYS = 36_500;
const ROLES = ['user', 'assistant', 'system'] as const;
const ENTITY_TYPES: readonly EntityType[] = [
  'person',
  'project',
  'place',
  'organisation',
  'identifier',
  'version',
  'url',
  'email',
  'tag',
  'other',
];

export interface LineOptions {
  readonly nowMs: number;
  /** Of the vectors to be told; null tells none. */
  readonly model: VectorModel | null;
  readonly vectors: readonly Float32Array[];
}

/** A memory with all that another store needs to hold the same one. */
export function transferLine({ memory, strength }: StoredMemory, { nowMs, model, vectors }: LineOptions): string {
  return JSON.stringify({
    ...memoryView({ memory, strength }, nowMs),
    gist_edited: memory.gistEdited,
    stability_days: strength.stabilityDays,
    ...(model &&
      vectors.length > 0 && { embedding_model: model.id, vectors: vectors.map((vector) => vectorsToBase64([vector])) }),
  });
}

export interface ParseOptions {
  readonly nowMs: number;
  /** Whose memory it is where the record does not say. */
  readonly callerAgentId: string;
  /** Of this store; null where it has no vectors. */
  readonly model: VectorModel | null;
  readonly isKnownEntity: (key: string) => boolean;
}

/**
 * A memory as `transferLine` writes it, or any memory of an answer of this service. What is missing is made as for a new message;
 * `id`, `content` and `created_at` must be there. Unknown fields are left out.
 * @throws InvalidInputError saying what is wrong with it
 */
export function parseTransferRecord(fields: JsonFields, options: ParseOptions): MergeRecord {
  const memory = memoryOf(fields, options);
  return {
    memory,
    strength: strengthOf(fields, memory, options),
    vectors: checkedVectors(fields, { text: recallText(memory), model: options.model }),
  };
}

function memoryOf(fields: JsonFields, { nowMs, callerAgentId, isKnownEntity }: ParseOptions): Memory {
  const content = text(fields, 'content');
  const gist = fields.gist === undefined ? gistOf(content) : text(fields, 'gist');
  const name = nameOrNullField(fields, 'name');
  const role = fields.role == null ? null : oneOfField(fields, 'role', ROLES);
  const entities =
    fields.entities === undefined
      ? readEntities(gist, { speaker: name, isKnown: isKnownEntity })
      : entitiesOf(fields.entities);
  const id = idOf(fields.id, 'id');
  const createdAt = pastInstant(fields, 'created_at', nowMs);
  return {
    id,
    gist,
    content,
    gistEdited: fields.gist_edited === undefined ? isOwnGist(fields, gist, content) : flag(fields, 'gist_edited'),
    tags: tagsOf(fields.tags ?? []),
    importance:
      fields.importance === undefined
        ? importanceOf({ text: content, role, entities })
        : numberOf(fields, 'importance', { low: 0, high: 1 }),
    agentId: agentOf(fields, callerAgentId),
    sessionId: (fields.session_id ?? null) === null ? null : sessionOf(fields),
    scope: fields.scope === undefined ? 'TEAM' : oneOfField(fields, 'scope', SCOPES),
    kind: fields.kind === undefined ? 'episodic' : oneOfField(fields, 'kind', KINDS),
    role,
    name,
    // Of a record that does not say, nobody here knows who told it what.
    source: fields.source === undefined ? 'import' : oneOfField(fields, 'source', ORIGINS),
    entities,
    createdAt,
    updatedAt: fields.updated_at === undefined ? createdAt : pastInstant(fields, 'updated_at', nowMs),
    sources: sourcesOf(fields.sources ?? [], id),
    // A memory that was asked for by the id of one that it absorbed names itself.
    consolidatedInto: fields.consolidated_into === id ? null : idOrNull(fields, 'consolidated_into'),
    supersededBy: idOrNull(fields, 'superseded_by'),
    metadata: metadataOf(fields.metadata ?? {}),
    idempotencyKey: null,
  };
}

/** Whether somebody put it in place of the words: what was made here is not made twice. */
function isOwnGist(fields: JsonFields, gist: string, content: string): boolean {
  return fields.gist !== undefined && gist !== gistOf(content);
}

function strengthOf(fields: JsonFields, { importance }: Memory, { nowMs }: ParseOptions): Strength {
  const recallCount = fields.recall_count === undefined ? 0 : numberOf(fields, 'recall_count', RECALLS);
  if (!Number.isInteger(recallCount)) throw new InvalidInputError('recall_count must be a whole number');
  return {
    lastRecalledAt: (fields.last_recalled_at ?? null) === null ? null : pastInstant(fields, 'last_recalled_at', nowMs),
    recallCount,
    stabilityDays:
      fields.stability_days === undefined
        ? initialStrength(importance).stabilityDays
        : numberOf(fields, 'stability_days', STABILITY),
  };
}

const RECALLS = { low: 0, high: MOST_RECALLS };
const STABILITY = { low: 0.001, high: MOST_STABILITY_DAYS };

function text(fields: JsonFields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string') throw new InvalidInputError(`${field} must be a text`);
  return trimmedText(value, field);
}

function flag(fields: JsonFields, field: string): boolean {
  const value = fields[field];
  if (typeof value === 'boolean') return value;
  throw new InvalidInputError(`${field} must be true or false`);
}

function numberOf(fields: JsonFields, field: string, { low, high }: { low: number; high: number }): number {
  const value = fields[field];
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw new InvalidInputError(`${field} must be a number from ${low} to ${high}`);
}

function idOf(value: unknown, field: string): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new InvalidInputError(`${field} must be a UUID in lower case, such as 0193a0000000700080000000000000aa`);
}

function idOrNull(fields: JsonFields, field: string): string | null {
  return (fields[field] ?? null) === null ? null : idOf(fields[field], field);
}

function agentOf(fields: JsonFields, callerAgentId: string): string {
  if ((fields.agent_id ?? null) === null) return callerAgentId;
  const value = nameField(fields, 'agent_id');
  if (value === '*') throw new InvalidInputError("agent_id must name one agent: '*' means all agents");
  return identity(value, 'agent_id', parseAgentId);
}

function sessionOf(fields: JsonFields): string {
  return identity(nameField(fields, 'session_id'), 'session_id', parseSessionId);
}

function identity(value: string, field: string, parse: (value: string, field: string) => string): string {
  try {
    return parse(value, field);
  } catch (error) {
    throw new InvalidInputError((error as Error).message);
  }
}

function pastInstant(fields: JsonFields, field: string, nowMs: number): number {
  return checkedTimestamp(instantField(fields, field), { nowMs, where: field });
}

function tagsOf(value: unknown): string[] {
  const tags = listOf(value, { field: 'tags', most: MOST_TAGS });
  if (!tags.every(isName)) throw new InvalidInputError('tags must be texts of 1 to 128 characters, not blank');
  return [...new Set(tags)];
}

function sourcesOf(value: unknown, id: string): string[] {
  const sources = listOf(value, { field: 'sources', most: MOST_SOURCES }).map((source) => idOf(source, 'sources'));
  if (sources.includes(id)) throw new InvalidInputError('sources must not name the memory itself');
  return [...new Set(sources)];
}

function entitiesOf(value: unknown): Entity[] {
  return listOf(value, { field: 'entities', most: MOST_ENTITIES }).map((entity) => {
    const { name, type } = (entity ?? {}) as { name?: unknown; type?: unknown };
    const knownType = ENTITY_TYPES.find((known) => known === type);
    if (typeof name !== 'string' || name.trim() === '' || name.length > MOST_ENTITY_CHARACTERS || !knownType) {
      throw new InvalidInputError(
        `entities must be objects of a name of at most ${MOST_ENTITY_CHARACTERS} characters and a type, one of ${ENTITY_TYPES.join(', ')}`,
      );
    }
    return { name: name.toWellFormed(), type: knownType };
  });
}

function listOf(value: unknown, { field, most }: { field: string; most: number }): unknown[] {
  if (Array.isArray(value) && value.length <= most) return value;
  throw new InvalidInputError(`${field} must be a list of at most ${most}`);
}

function metadataOf(value: unknown): Memory['metadata'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInputError('metadata must be an object');
  }
  return checkedMetadata(value as Memory['metadata'], 'metadata');
}
