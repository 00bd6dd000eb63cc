import { ANY_PROJECT, parseAgentId, parseProject, parseSessionId } from '@agent-faculties/agent-identity';
import { InvalidInputError, parseInstant } from '@agent-faculties/service-kit';
import { type JsonFields, type OpenApiDocument, recordReader } from '@agent-faculties/service-kit/http';
import type { components } from '../api.gen.ts';
import { initialStrength } from '../domain/cognition/retention.ts';
import { vectorsToBase64 } from '../domain/embedding/vector-base64.ts';
import type { VectorModel } from '../domain/embedding/vector-model.ts';
import { importanceOf } from '../domain/ingest/importance.ts';
import { checkedMetadata, checkedTimestamp, trimmedText } from '../domain/memory/limits.ts';
import { type Act, type Entity, type Memory, recallText, type Strength } from '../domain/memory/memory.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { tagsToKeep } from '../domain/memory/plain-tags.ts';
import { isExpired } from '../domain/memory/validity.ts';
import { readNames } from '../domain/text/entities/entities.ts';
import { gistOf } from '../domain/text/gist/gist.ts';
import type { MergeRecord } from '../domain/transfer/merge-record.ts';
import { checkedVectors } from '../domain/transfer/vectors.ts';
import { instantOrNull } from './instant.ts';
import { memoryView } from './memory-view.ts';

type RecordFields = components['schemas']['MemoryRecord'];

export interface LineOptions {
  readonly nowMs: number;
  /** The model of the vectors; null leaves the vectors out. */
  readonly model: VectorModel | null;
  readonly vectors: readonly Float32Array[];
}

/** Writes a memory as a line of an export, with everything that another store needs to hold the same memory. */
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
  /** The agent of a memory whose record names none. */
  readonly callerAgentId: string;
  /** The project of a memory whose record names none, not even null. */
  readonly callerProject: string | null;
  /** The model of this store; null: this store has no vectors. */
  readonly model: VectorModel | null;
  /** Of these keys of entities, those that the store knows. */
  readonly knownEntities: (keys: readonly string[], project: string | null) => Promise<ReadonlySet<string>>;
}

/**
 * Makes a memory of a record as `transferLine` writes it, or of any memory of an answer of this service.
 * @throws InvalidInputError saying what is wrong with the record, with its id and its successor as `extra.id` and `extra.successor`
 */
export type ReadMemoryRecord = (fields: JsonFields, options: ParseOptions) => Promise<MergeRecord>;

/** The reader of what the contract calls MemoryRecord. Compiles the schema: make it once. */
export function memoryRecordReader(spec: OpenApiDocument): ReadMemoryRecord {
  const checked = recordReader<RecordFields>(spec, 'MemoryRecord');
  const read: ReadMemoryRecord = async (fields, options) => {
    const record = checked(fields);
    const memory = await memoryOf(record, options);
    return {
      memory,
      isDated: record.updated_at !== undefined,
      strength: strengthOf(record, memory, options),
      vectors: checkedVectors(fields, { text: recallText(memory), model: options.model }),
    };
  };
  return async (fields, options) => {
    try {
      return await read(fields, options);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      throw new InvalidInputError(error.message, { extra: { id: fields.id, successor: fields.superseded_by } });
    }
  };
}

async function memoryOf(
  record: RecordFields,
  { nowMs, callerAgentId, callerProject, knownEntities }: ParseOptions,
): Promise<Memory> {
  const { id, role = null, name = null } = record;
  const project = projectOf(record, callerProject);
  const content = trimmedText(record.content, 'content');
  const gist = record.gist === undefined ? gistOf(content) : trimmedText(record.gist, 'gist');
  const entities =
    record.entities?.map((entity) => ({ name: entity.name.toWellFormed(), type: entity.type })) ??
    (await namesIn(gist, { speaker: name, project, knownEntities }));
  const createdAt = pastInstant(record.created_at, { nowMs, where: 'created_at' });
  return {
    id,
    gist,
    content,
    // A gist that this service made itself can be made again and is no edit.
    gistEdited: record.gist_edited ?? (record.gist !== undefined && gist !== gistOf(content)),
    tags: tagsToKeep([...new Set(record.tags)], 'tags'),
    importance: record.importance ?? importanceOf({ text: content, role, entities }),
    agentId: agentOf(record, callerAgentId),
    sessionId: record.session_id == null ? null : identity(record.session_id, 'session_id', parseSessionId),
    scope: record.scope ?? 'TEAM',
    project,
    kind: record.kind ?? 'episodic',
    role,
    name,
    // Where these words come from is unknown here.
    source: record.source ?? 'import',
    entities,
    createdAt,
    updatedAt:
      record.updated_at === undefined ? createdAt : pastInstant(record.updated_at, { nowMs, where: 'updated_at' }),
    sources: sourcesOf(record),
    // A memory that was read by the id of one that it absorbed names itself.
    consolidatedInto: record.consolidated_into === id ? null : (record.consolidated_into ?? null),
    supersededBy: record.superseded_by ?? null,
    supersession: record.superseded_by ? actOf(record.supersession, 'supersession') : null,
    ...validityOf(record, nowMs),
    metadata: checkedMetadata(record.metadata ?? {}, 'metadata'),
    idempotencyKey: null,
  };
}

function validityOf(record: RecordFields, nowMs: number) {
  const expiresAt = instantOrNull(record.expires_at, 'expires_at');
  if (isExpired({ expiresAt }, nowMs)) throw new InvalidInputError('expires_at lies in the past: it is gone');
  const validFrom = instantOrNull(record.valid_from, 'valid_from');
  const validUntil = instantOrNull(record.valid_until, 'valid_until');
  const invalidation = actOf(record.invalidation, 'invalidation');
  // What was invalidated may have ended before it was to begin.
  if (!invalidation && validFrom !== null && validUntil !== null && validUntil <= validFrom) {
    throw new InvalidInputError('valid_until must be later than valid_from');
  }
  return { validFrom, validUntil, invalidation, expiresAt };
}

function actOf(act: RecordFields['invalidation'], where: string): Act | null {
  if (!act) return null;
  return { agentId: identity(act.agent_id, where, parseAgentId), at: parseInstant(act.at, where), reason: act.reason };
}

async function namesIn(
  gist: string,
  {
    speaker,
    project,
    knownEntities,
  }: { speaker: string | null; project: string | null } & Pick<ParseOptions, 'knownEntities'>,
): Promise<Entity[]> {
  const names = readNames(gist).by(speaker);
  const known = await knownEntities(names.uncertain, project);
  return names.entities((key) => known.has(key));
}

function strengthOf(record: RecordFields, { importance }: Memory, { nowMs }: ParseOptions): Strength {
  const { last_recalled_at: lastRecalledAt, recall_count: recallCount = 0 } = record;
  return {
    lastRecalledAt: lastRecalledAt == null ? null : pastInstant(lastRecalledAt, { nowMs, where: 'last_recalled_at' }),
    recallCount,
    stabilityDays: record.stability_days ?? initialStrength(importance).stabilityDays,
  };
}

function agentOf({ agent_id: agentId }: RecordFields, callerAgentId: string): string {
  if (agentId == null) return callerAgentId;
  if (agentId === '*') throw new InvalidInputError("agent_id must name one agent: '*' means all agents");
  return identity(agentId, 'agent_id', parseAgentId);
}

function projectOf({ project }: RecordFields, callerProject: string | null): string | null {
  if (project === undefined) return callerProject;
  if (project === ANY_PROJECT) throw new InvalidInputError("project must name one project: '*' means all projects");
  return project === null ? null : identity(project, 'project', parseProject);
}

function identity(value: string, field: string, parse: (value: string, field: string) => string): string {
  try {
    return parse(value, field);
  } catch (error) {
    throw new InvalidInputError((error as Error).message);
  }
}

function pastInstant(text: string, { nowMs, where }: { nowMs: number; where: string }): number {
  return checkedTimestamp(parseInstant(text, where), { nowMs, where });
}

function sourcesOf({ id, sources }: RecordFields): string[] {
  if (sources?.includes(id)) throw new InvalidInputError('sources must not name the memory itself');
  return [...new Set(sources)];
}
