import { InvalidInputError } from '@agent-faculties/service-kit';
import { nextTurn } from '../concurrency/next-turn.ts';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import { type Memory, NOT_SUPERSEDED } from '../memory/memory.ts';
import { isSeenByAllWhoSee, type Viewer } from '../memory/visibility.ts';
import { type MergeDeps, type MergeOutcome, type MergeRecord, mergeRecord, type Rejected } from './merge-record.ts';
import { Successors } from './successors.ts';

/** One incoming record, which is read when its turn comes, so that a broken one does not stop the others. */
export interface IncomingRecord {
  /** Approximate size; bounds the memory that a batch takes. */
  readonly bytes: number;
  /** @throws InvalidInputError, whose `extra` has the `id` and the `successor` of the record where it has them */
  readonly read: () => MergeRecord | Promise<MergeRecord>;
}

/** A record that makes no memory. */
interface Unread extends Rejected {
  /** Its id; any text where it has none. */
  readonly id: string;
  /** What is in its place; any text where that is none. */
  readonly supersededBy: string;
}

/** What becomes of the links to records that make no memory. */
interface Links {
  /** By the id of a record: the id of the memory that says the same here; null where the record is rejected. */
  readonly elsewhere: Map<string, string | null>;
  /** What is in the place of rejected records, by their ids. */
  readonly behindRejected: Map<string, string>;
  /** Successors of the memories that were written, by their ids. */
  readonly successors: Map<string, string>;
  /** What these memories were consolidated into, as their records say, by their ids. */
  readonly consolidated: Map<string, string>;
}

export interface MergeReport {
  received: number;
  added: number;
  updated: number;
  duplicates: number;
  rejectedCount: number;
  /** The first 1,000 rejected records, in order; `index` counts the records from 0. */
  readonly rejected: { readonly index: number; readonly reason: string }[];
  /** How many of the added and updated memories came without fitting vectors. */
  withoutVectors: number;
}

/** Records of a batch, which share a sync of the journal; one group of the journal takes as many. */
const BATCH_RECORDS = 128;
/** Bytes of a batch, which are read and checked in one turn of the event loop: a few ms. */
const BATCH_BYTES = 256 * 1024;
/** Links that are looked at in one turn of the event loop: about 1 ms. */
const LINKS_PER_TURN = 500;
/** Rejected records in the answer: writing 100,000 would block the event loop for 100 ms, and 1,000 show what is wrong. */
const MOST_REJECTED_SHOWN = 1_000;

export function emptyReport(): MergeReport {
  return { received: 0, added: 0, updated: 0, duplicates: 0, rejectedCount: 0, rejected: [], withoutVectors: 0 };
}

/**
 * Merges memories of another store, each whole or not at all, and counts the outcomes in `report`. Merging the same again changes
 * nothing. Holds one batch at a time and yields to the event loop between two. A rejected record supersedes
 * nothing: what is in its own place does that. If the words of a record are known under another id, the memory of that id supersedes instead.
 * @param of.onWritten called with the ids of what was added or updated, batch by batch
 * @throws UnavailableError when the disk refuses; what `report` counts stays
 */
export async function mergeAll(
  deps: MergeDeps,
  viewer: Viewer,
  of: {
    records: AsyncIterable<IncomingRecord>;
    report: MergeReport;
    onWritten?: (ids: readonly string[]) => void;
  },
): Promise<void> {
  const { records, report, onWritten = () => {} } = of;
  const links: Links = {
    elsewhere: new Map(),
    behindRejected: new Map(),
    successors: new Map(),
    consolidated: new Map(),
  };
  let batch: IncomingRecord[] = [];
  let bytes = 0;
  const flush = async () => {
    await mergeBatch(deps, viewer, { batch, report, onWritten, links });
    batch = [];
    bytes = 0;
    await nextTurn();
  };
  for await (const record of records) {
    batch.push(record);
    bytes += record.bytes;
    if (batch.length === BATCH_RECORDS || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  await relink(deps, viewer, links);
  await checkConsolidated(deps, viewer, links);
}

/** One link after the other, some in each turn of the event loop: most need nothing but looking up, which yields to nobody. */
async function* inTurns(links: ReadonlyMap<string, string>): AsyncGenerator<[string, string]> {
  let looked = 0;
  for (const link of links) {
    if (++looked % LINKS_PER_TURN === 0) await nextTurn();
    yield link;
  }
}

/** Replaces successors that made no memory, or were deleted here: by the memory with the same words, by what replaced them, or by none. */
async function relink(deps: MergeDeps, viewer: Viewer, links: Links): Promise<void> {
  const { store } = deps;
  for await (const [id, successor] of inTurns(links.successors)) {
    const isMissing = links.elsewhere.has(successor) || (await store.wasDeleted(successor));
    if (!isMissing || (await store.find(successor))) continue;
    const other = await inPlaceOf(successor, store, links);
    await changeLink(deps, viewer, id, async (before) => {
      if (before.supersededBy !== successor) return null;
      const linked = other === null ? null : { ...before, supersededBy: other };
      const isCircle = linked !== null && (await new Successors(store, viewer, []).formCircle(linked, 0));
      return linked === null || isCircle ? NOT_SUPERSEDED : { supersededBy: other };
    });
  }
}

/** The first memory in the chain behind a record that made none. */
async function inPlaceOf(
  recordId: string,
  store: MergeDeps['store'],
  { elsewhere, behindRejected }: Links,
): Promise<string | null> {
  const passed = new Set<string>();
  for (let id: string | undefined = recordId; id !== undefined && !passed.has(id); id = behindRejected.get(id)) {
    passed.add(id);
    const known = elsewhere.get(id) ?? id;
    if (await store.find(known)) return known;
  }
  return null;
}

/** That a memory went into another one is shown as a fact: it stays only where that one is there, and is seen by all who see the memory. */
async function checkConsolidated(deps: MergeDeps, viewer: Viewer, links: Links): Promise<void> {
  for await (const [id, named] of inTurns(links.consolidated)) {
    await changeLink(deps, viewer, id, async (before) => {
      if (before.consolidatedInto !== named) return null;
      const whole = (await deps.store.find(links.elsewhere.get(named) ?? named))?.memory;
      const isTrue = whole !== undefined && whole.id !== id && isSeenByAllWhoSee(before, whole);
      return isTrue && whole.id === named ? null : { consolidatedInto: isTrue ? whole.id : null };
    });
  }
}

/** @param linkOf what the links of the memory are to be; null: they stay */
async function changeLink(
  { store, rewrite, locks }: MergeDeps,
  viewer: Viewer,
  id: string,
  linkOf: (before: Memory) => Promise<Partial<Memory> | null>,
): Promise<void> {
  const change = async () => {
    const before = (await store.find(id))?.memory;
    const link = before?.id === id ? await linkOf(before) : null;
    if (!before || link === null) return;
    const memory = { ...before, ...link, updatedAt: before.updatedAt + 1 };
    if (!(await rewrite({ before, memory, vectors: undefined }, viewer))) return STALE;
  };
  await locks.run(id, () => untilTaken(change));
}

interface Batch {
  readonly batch: readonly IncomingRecord[];
  readonly report: MergeReport;
  readonly onWritten: (ids: readonly string[]) => void;
  readonly links: Links;
}

async function mergeBatch(deps: MergeDeps, viewer: Viewer, { batch, report, onWritten, links }: Batch): Promise<void> {
  const records: (MergeRecord | Unread)[] = [];
  for (const record of batch) records.push(await readOrRejected(record));
  await nextTurn();
  const memories = records.map((record) => ('memory' in record ? record.memory : null));
  const successors = new Successors(deps.store, viewer, memories);
  const settled = await Promise.allSettled(
    records.map(async (record, position): Promise<MergeOutcome> => {
      if ('rejected' in record) return record;
      const isCircle = () => successors.formCircle(record.memory, position);
      return await mergeRecord(deps, viewer, { record, isCircle });
    }),
  );
  const written: string[] = [];
  for (const [position, result] of settled.entries()) {
    if (result.status !== 'fulfilled') continue;
    const record = records[position] as MergeRecord | Unread;
    note(report, result.value, report.received + position);
    noteLinks(links, record, result.value);
    if ('memory' in record && isWritten(result.value)) written.push(record.memory.id);
  }
  onWritten(written);
  report.received += batch.length;
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function isWritten(outcome: MergeOutcome): boolean {
  return 'done' in outcome && outcome.done !== 'duplicate';
}

function noteLinks(links: Links, record: MergeRecord | Unread, outcome: MergeOutcome): void {
  const { elsewhere, behindRejected, successors, consolidated } = links;
  const { id, supersededBy, consolidatedInto } =
    'memory' in record ? record.memory : { ...record, consolidatedInto: null };
  if ('rejected' in outcome) {
    elsewhere.set(id, null);
    if (supersededBy !== null) behindRejected.set(id, supersededBy);
  } else if (outcome.done !== 'duplicate') {
    if (supersededBy !== null) successors.set(id, supersededBy);
    if (consolidatedInto !== null) consolidated.set(id, consolidatedInto);
  } else if (outcome.knownAs) elsewhere.set(id, outcome.knownAs);
}

async function readOrRejected({ read }: IncomingRecord): Promise<MergeRecord | Unread> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { id, successor } = error.extra;
    return { rejected: error.message, id: String(id), supersededBy: String(successor) };
  }
}

function note(report: MergeReport, outcome: MergeOutcome, index: number): void {
  if ('rejected' in outcome) {
    report.rejectedCount++;
    if (report.rejected.length < MOST_REJECTED_SHOWN) report.rejected.push({ index, reason: outcome.rejected });
  } else if (outcome.done === 'duplicate') report.duplicates++;
  else {
    report[outcome.done]++;
    if (outcome.withoutVectors) report.withoutVectors++;
  }
}
