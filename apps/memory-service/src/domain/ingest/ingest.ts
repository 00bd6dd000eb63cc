import type { Caller } from '@agent-faculties/agent-identity';
import { type Clock, ConflictError, type IdSource, InvalidInputError } from '@agent-faculties/service-kit';
import type { ProcessState } from '../cognition/process-state.ts';
import { initialStrength, strengthened } from '../cognition/retention.ts';
import { readingStep } from '../concurrency/reading-steps.ts';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import { isTerse, type MadeVectors, vectorsOfMemory } from '../embedding/terse.ts';
import type { TextEmbedding } from '../embedding/text-embedding.ts';
import { versionOf } from '../memory/decision.ts';
import type { MemoryHistory } from '../memory/history.ts';
import { checkedMetadata, checkedTimestamp, storeIsFull, trimmedText } from '../memory/limits.ts';
import {
  ALWAYS_VALID,
  type Memory,
  NOT_SUPERSEDED,
  type Role,
  recallText,
  type Scope,
  type Source,
  type Validity,
} from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import type { IngestStage, StageTimer, StartStageTimer } from '../memory/stage-timer.ts';
import { checkExpiry, checkSpan } from '../memory/validity.ts';
import { type Viewer, viewerOf } from '../memory/visibility.ts';
import type { ReadText } from '../recall/read-text.ts';
import type { RecallStore } from '../recall/recall-store.ts';
import { type ReadNames, readNames } from '../text/entities/entities.ts';
import { gistOf } from '../text/gist/gist.ts';
import { importanceOf } from './importance.ts';
import { type SaidAgain, withWhatIsNew } from './said-again.ts';
import { wordsKey } from './same-words.ts';
import { type AlreadySuperseded, stillSuperseded, superseding } from './supersede.ts';
import { type KeyedMessage, tellingOf, withTelling } from './telling.ts';
import { toldOtherwise } from './told-otherwise.ts';
import { withoutFrames } from './without-frames.ts';

export interface IngestDeps extends ProcessState {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly store: MemoryStore & RecallStore;
  readonly embedding: TextEmbedding;
  readonly maxMemories: number;
  /** null: no versions are kept. */
  readonly history: MemoryHistory | null;
  /** Writes what a repetition adds to a memory; resolves to false where that is no longer as it was read. */
  readonly enrich: (change: { readonly before: Memory; readonly memory: Memory }, viewer: Viewer) => Promise<boolean>;
  readonly ingestTimer?: StartStageTimer<IngestStage>;
  /** Called after each ingest. */
  readonly onIngested?: (message: { readonly isDuplicate: boolean }) => void;
}

export interface Message extends KeyedMessage {
  readonly content: string;
  readonly role: Role | null;
  readonly name: string | null;
  readonly source: Source;
  readonly scope: Scope;
  readonly tags: readonly string[];
  /** 0..1; null: estimated from the message */
  readonly importance: number | null;
  /** When it was said, epoch milliseconds; null: now */
  readonly timestampMs: number | null;
  readonly validity: Validity;
  /** Whether it may supersede memories of other agents. */
  readonly maySupersedeOthers: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
  /** Whether a long text is answered before it has its vectors, which then are made in the background. */
  readonly isUrgent: boolean;
}

export interface Ingested {
  /** The memory; null: the message only quotes a context of this service. */
  readonly stored: StoredMemory | null;
  /** Whether the memory was there already. */
  readonly duplicate: boolean;
  /** Ids of the memories that it supersedes from now on. */
  readonly superseded: readonly string[];
  /** Those of them in whose place there was another memory already, which holds too. */
  readonly alreadySuperseded: readonly AlreadySuperseded[];
  /** Of a duplicate: its fields that say otherwise than the memory, which keeps what it has. */
  readonly notTaken: readonly string[];
  /** The results of reading the message, for a recall with the same text. */
  readonly alreadyRead: ReadText | null;
}

type Stored = Omit<Ingested, 'alreadyRead' | 'stored'> & { readonly stored: StoredMemory };

/** A longer text has four chunks or more, whose vectors take a tenth of a second and more on a machine that does nothing else. */
const MOST_URGENT_CHARACTERS = 2_000;

const NO_VECTORS: MadeVectors = { vectors: [], expected: [] };

/** Of an answer to which a message adds nothing. */
const NO_CHANGE = { duplicate: true, superseded: [], alreadySuperseded: [], notTaken: [] };
const NOTHING_NEW: Ingested = { ...NO_CHANGE, stored: null, alreadyRead: null };

/**
 * Stores a message. One under a known idempotency key adds nothing, and one with known words only what it has beside them, and its key;
 * contexts that it quotes are removed.
 * If it names memories that it supersedes, the store takes the message and the supersessions together or not at all.
 * @throws InvalidInputError, ForbiddenError, ConflictError, UnavailableError; nothing is stored then
 */
export async function ingest(deps: IngestDeps, caller: Caller, message: Message): Promise<Ingested> {
  const content = withoutFrames(trimmedText(message.content, 'body/content'));
  if (content === null) {
    const nothing = nothingNew(message);
    deps.onIngested?.({ isDuplicate: nothing.duplicate });
    return nothing;
  }
  const markStage = deps.ingestTimer?.();
  const names = await readingStep(content, () => readNames(content));
  const memory = await memoryOf(deps, caller, { ...message, content }, names);
  markStage?.('reading');
  const { idempotencyKey: key, agentId } = memory;
  const { supersedes, maySupersedeOthers } = message;
  const request = { viewer: viewerOf(caller), memory, message, supersedes, maySupersedeOthers, markStage };
  const store = () => storeOnce(deps, request);
  const ingested = key === null ? await store() : await deps.locks.run(JSON.stringify(['key', agentId, key]), store);
  deps.onIngested?.({ isDuplicate: ingested.duplicate });
  const { id, gist } = ingested.stored.memory;
  deps.workingMemory.note(caller, { id, characters: gist.length });
  const alreadyRead = await readingOf(deps, caller, ingested.stored.memory, names);
  await deps.priming.mention(alreadyRead.namedKeys, { caller, now: deps.clock.now() });
  return { ...ingested, alreadyRead };
}

function nothingNew({ supersedes }: Message): Ingested {
  if (supersedes.length === 0) return NOTHING_NEW;
  const message = 'cannot be superseded by a message that is only what was recalled before: nothing is stored of it';
  throw InvalidInputError.at('body/supersedes', message);
}

/** Looks the names up after the memory is stored, because it may be the first to name an entity. @param names of the message; a memory of the same words may be written otherwise */
async function readingOf({ store }: IngestDeps, caller: Caller, memory: Memory, names: ReadNames): Promise<ReadText> {
  const text = memory.content;
  const isOfText = recallText(memory) === text && !isTerse(memory);
  const vector = async () => (isOfText ? ((await store.vectorsOf(memory.id))[0] ?? null) : null);
  return { text, vector, namedKeys: await store.namedIn(text === names.text ? names : text, viewerOf(caller)) };
}

async function memoryOf(
  { clock, ids, store }: IngestDeps,
  caller: Caller,
  message: Message,
  read: ReadNames,
): Promise<Memory> {
  const nowMs = Math.floor(clock.now());
  const { content } = message;
  const names = read.by(message.name);
  const known = await store.knownEntities(names.uncertain, caller.project);
  const entities = names.entities((key) => known.has(key));
  const gist = await readingStep(content, () => gistOf(content));
  const memory: Memory = {
    id: ids.next(),
    gist,
    content,
    gistEdited: false,
    tags: message.tags,
    importance: message.importance ?? importanceOf({ text: content, role: message.role, entities }),
    agentId: caller.agentId,
    sessionId: caller.sessionId,
    scope: message.scope,
    project: caller.project,
    kind: 'episodic',
    role: message.role,
    name: message.name,
    source: message.source,
    entities,
    createdAt:
      message.timestampMs === null ? nowMs : checkedTimestamp(message.timestampMs, { nowMs, where: 'body/timestamp' }),
    updatedAt: nowMs,
    sources: [],
    consolidatedInto: null,
    ...NOT_SUPERSEDED,
    ...ALWAYS_VALID,
    ...checkedValidity(message, nowMs),
    metadata: checkedMetadata(message.metadata, 'body/metadata'),
    idempotencyKey: message.idempotencyKey,
  };
  // What it supersedes stands in those memories, and only as long as they are superseded.
  const isWholeTold = memory.idempotencyKey === null || message.supersedes.length === 0;
  return isWholeTold ? memory : { ...memory, tellings: [tellingOf({ memory, message })] };
}

function checkedValidity({ validity }: Message, nowMs: number): Validity {
  checkSpan(validity, 'body');
  checkExpiry(validity, { nowMs, where: 'body' });
  return validity;
}

/** The answer to an earlier request under the same key; null when there is none, or the message has no key. */
async function replayOf(deps: IngestDeps, request: StoreRequest): Promise<Stored | null> {
  const { store, history } = deps;
  const { viewer, memory, message } = request;
  const key = memory.idempotencyKey;
  if (key === null) return null;
  const stored = await store.findByIdempotencyKey(memory);
  if (!stored) return null;
  const all = [stored.memory, ...(stored.memory.absorbed ?? []).map((absorbed) => absorbed.memory)];
  const hasKey = (one: Memory) => one.idempotencyKey === key || one.tellings?.some((telling) => telling.key === key);
  const known = all.find((one) => one.agentId === memory.agentId && hasKey(one)) ?? stored.memory;
  const fields = await toldOtherwise(history, { known, memory, message });
  if (fields.length > 0) {
    throw new ConflictError(
      `The idempotency key '${key}' belongs to memory '${stored.memory.id}', whose message differs in ${fields.join(', ')}: use a new key for a new message.`,
      { code: 'idempotency_key_reused' },
    );
  }
  const alreadySuperseded = await stillSuperseded(deps, viewer, { ...request, by: stored.memory });
  return { ...NO_CHANGE, stored, alreadySuperseded };
}

interface StoreRequest {
  readonly viewer: Viewer;
  readonly memory: Memory;
  readonly message: Message;
  readonly supersedes: readonly string[];
  readonly maySupersedeOthers: boolean;
  readonly markStage: StageTimer<IngestStage> | undefined;
}

async function storeOnce(deps: IngestDeps, request: StoreRequest): Promise<Stored> {
  const { memory, message } = request;
  const areLate = message.isUrgent && memory.content.length > MOST_URGENT_CHARACTERS;
  const words = await readingStep(memory.content, () => wordsKey(memory));
  let made: Promise<MadeVectors> | null = null;
  // Those that rest on another memory are made again for each attempt.
  const vectorsNow = async () => {
    if (areLate) return NO_VECTORS;
    const last = await made;
    if (last === null || last.expected.length > 0) made = vectorsOfMemory(deps, memory);
    return await (made as Promise<MadeVectors>);
  };
  return await deps.locks.run(words, () => untilTaken(() => tryToStore(deps, { ...request, vectorsNow })));
}

async function tryToStore(
  deps: IngestDeps,
  request: StoreRequest & { vectorsNow: () => Promise<MadeVectors> },
): Promise<Stored | typeof STALE> {
  const replay = await replayOf(deps, request);
  if (replay) return replay;
  const known = await deps.store.findSameWords(request.memory);
  return known ? await tryToRepeat(deps, request, known) : await tryToAdd(deps, request);
}

async function tryToRepeat(
  deps: IngestDeps,
  request: StoreRequest,
  known: StoredMemory,
): Promise<Stored | typeof STALE> {
  const { store } = deps;
  const { viewer, memory: said } = request;
  const { memory, notTaken } = saidAgain(deps, request, known.memory);
  const by = keyed(memory, request);
  const { ids, expected, changes, act, alreadySuperseded } = await superseding(store, viewer, { ...request, by });
  if (memory !== known.memory && !(await deps.enrich({ before: known.memory, memory }, viewer))) return STALE;
  const decision = {
    expected: [versionOf(memory), ...expected],
    absent: { keysOf: [said] },
    changes: [...(by === memory ? [] : [{ op: 'update' as const, memory: by }]), ...changes],
    act,
  };
  if (decision.changes.length > 0 && !(await store.changeTogether(decision))) return STALE;
  const stored = await remembered(deps, (await store.find(by.id)) ?? known);
  return { stored, duplicate: true, superseded: ids, alreadySuperseded, notTaken };
}

async function tryToAdd(
  { store, maxMemories }: IngestDeps,
  request: StoreRequest & { vectorsNow: () => Promise<MadeVectors> },
): Promise<Stored | typeof STALE> {
  const { viewer, memory, vectorsNow, markStage } = request;
  const { ids, expected, changes, act, alreadySuperseded } = await superseding(store, viewer, {
    ...request,
    by: memory,
  });
  if ((await store.size()) >= maxMemories) throw storeIsFull();
  const { vectors, expected: context } = await vectorsNow();
  markStage?.('embedding');
  const isTaken = await store.changeTogether({
    expected: [...expected, ...context],
    absent: { wordsOf: [memory], keysOf: [memory] },
    mostMemories: maxMemories,
    changes: [{ op: 'add', memory, vectors }, ...changes],
    act,
  });
  if (!isTaken) return STALE;
  markStage?.('journal');
  return {
    stored: { memory, strength: initialStrength(memory.importance) },
    duplicate: false,
    superseded: ids,
    alreadySuperseded,
    notTaken: [],
  };
}

/** A retry under the key of the message is known by it, from then on. */
function keyed(known: Memory, request: StoreRequest): Memory {
  return request.memory.idempotencyKey === null ? known : withTelling(known, request);
}

function saidAgain({ clock }: IngestDeps, { memory: said, message }: StoreRequest, known: Memory): SaidAgain {
  return withWhatIsNew(known, { said, importance: message.importance, nowMs: Math.floor(clock.now()) });
}

async function remembered({ store, clock }: IngestDeps, { memory, strength }: StoredMemory): Promise<StoredMemory> {
  const { importance, createdAt } = memory;
  const stronger = strengthened(strength, { importance, createdAt, now: clock.now() });
  await store.strengthen([{ id: memory.id, strength: stronger }]);
  return { memory, strength: stronger };
}
