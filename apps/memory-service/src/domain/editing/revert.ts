import { isDeepStrictEqual } from 'node:util';
import { ConflictError, NotFoundError, PreconditionFailedError } from '@agent-faculties/service-kit';
import { strengthened } from '../cognition/retention.ts';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import { withoutAbsorbed } from '../consolidation/duplicates/absorb.ts';
import { settingApart } from '../consolidation/duplicates/set-apart.ts';
import { sourcesStoodSince } from '../consolidation/since-run.ts';
import { actOf } from '../memory/change-act.ts';
import { checkProject } from '../memory/check-project.ts';
import { type VersionRead, versionOf } from '../memory/decision.ts';
import { storeIsFull } from '../memory/limits.ts';
import { keysOf, type Memory, recallText, withKeysOf } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import { losersAgain, type Released, releasedBy, supersededAgain } from '../memory/superseded-again.ts';
import { successionOf } from '../memory/supersession.ts';
import { isExpired } from '../memory/validity.ts';
import type { Viewer } from '../memory/visibility.ts';
import { checkScope } from './edit.ts';
import { type EditDeps, rederivingAfter } from './edit-deps.ts';
import { type HistoryEntry, historyOf } from './past.ts';
import { checkVersion, versionTag } from './precondition.ts';

export interface RevertDeps extends EditDeps {
  readonly maxMemories: number;
  /** Called where memories came back without vectors, which are made in the background. */
  readonly onWithoutVectors: () => void;
}

export interface Revert {
  readonly id: string;
  /** The name of the version, from the history. */
  readonly version: string;
  readonly reason: string | null;
  /** An ETag list or `*`; null reverts any version. */
  readonly ifMatch: string | null;
}

/**
 * Makes a memory what it was in a version, or brings it back if it was deleted. This is a change like any other: the version before
 * it is kept. The id, the agent and the idempotency key stay. A revert to the present version changes nothing.
 * @throws NotFoundError for an unknown memory or version, ForbiddenError and ConflictError as an edit,
 *   ConflictError where it is in another memory, its key is taken, its sources have changed or there is no room, PreconditionFailedError
 */
export async function revertMemory(deps: RevertDeps, viewer: Viewer, revert: Revert): Promise<StoredMemory> {
  return await deps.locks.run(revert.id, () => untilTaken(() => tryToRevert(deps, viewer, revert)));
}

async function tryToRevert(
  deps: RevertDeps,
  viewer: Viewer,
  { id, version, reason, ifMatch }: Revert,
): Promise<StoredMemory | typeof STALE> {
  const { store, clock } = deps;
  const entries = await historyOf(deps, viewer, id);
  const found = await store.find(id);
  if (found && found.memory.id !== id) throw isAbsorbed(id, found.memory.id);
  if (found) checkVersion(found, ifMatch);
  else if (ifMatch !== null)
    throw new PreconditionFailedError(`Memory '${id}' is gone: leave If-Match out to bring it back.`);
  if (found && versionTag(found.memory) === version) return found;
  const place = entries.findIndex(({ before }) => before && versionTag(before.memory) === version);
  const entry = entries[place]?.version;
  if (!entry?.before) throw unknownVersion(id, { version, isKept: deps.history !== null });
  const { memory } = entry.before;
  checkProject(found?.memory ?? memory, viewer);
  if (!(await sourcesStoodSince(deps, memory, entry.at))) throw cannotRevert(SOURCES_CHANGED(id));
  const now = Math.floor(clock.now());
  if (isExpired(memory, now)) throw cannotRevert(EXPIRED(id));
  const act = actOf('revert', { agentId: viewer.agentId, at: now, reason });
  const versions = [{ id: entry.id, at: entry.at }];
  const about = { viewer, now, act, versions, released: releasedIn(entries.slice(0, place + 1)) };
  // Of one that is gone, its deletion comes first among the changes, with the memory as it was last.
  checkScope((found ?? entries[0]?.before ?? entry.before).memory, viewer, { scope: memory.scope });
  if (found) {
    return await tryToChange(deps, { found, memory, ...about });
  }
  return await tryToBringBack(deps, { before: entry.before, ...about });
}

/** The memories that the memory stopped superseding in these versions, and when. */
function releasedIn(entries: readonly HistoryEntry[]): Released[] {
  return entries.flatMap(({ version }) => releasedBy(version));
}

interface About {
  readonly viewer: Viewer;
  readonly now: number;
  readonly act: ReturnType<typeof actOf>;
  /** What it becomes: an erasure at another replica may have taken it since. */
  readonly versions: readonly VersionRead[];
  /** The memories that it superseded in the version and does no longer, and since when, epoch milliseconds. */
  readonly released: readonly Released[];
}

async function tryToChange(
  deps: RevertDeps,
  { found, memory, ...about }: About & { found: StoredMemory; memory: Memory },
): Promise<StoredMemory | typeof STALE> {
  const { store, embedding } = deps;
  const { memory: present } = found;
  const target = await targetOf(deps, { memory, present });
  const isSame = isDeepStrictEqual({ ...target, updatedAt: 0 }, { ...present, updatedAt: 0 });
  // One that others saw again before this has let go of what it had superseded.
  if (isSame && (await losersAgain(deps, target, about)).length === 0) return found;
  const isNewText = recallText(target) !== recallText(present);
  const vectors = isNewText ? await embedding.vectorsOf(recallText(target)) : undefined;
  const isOther = isNewText || target.gist !== present.gist || target.scope !== present.scope;
  const { alone, changes } = isOther ? await settingApart(store, target) : { alone: target, changes: [] };
  const updated = { ...alone, updatedAt: Math.max(about.now, present.updatedAt + 1) };
  const losers = await losersAgain(deps, updated, about);
  // What was absorbed since that version becomes separate again.
  const again = absorbedBeside(present, memory);
  const isTaken = await rederivingAfter(deps, [present.id], () =>
    store.changeTogether({
      expected: [versionOf(present), ...losers.map(versionOf)],
      versions: about.versions,
      changes: [
        { op: 'update', memory: updated, ...(vectors && { vectors }) },
        ...losers.map((loser) => supersededAgain(loser, updated, about.act)),
        ...changes,
        ...again.map((one) => ({ op: 'add' as const, ...one, vectors: [] })),
      ],
      act: about.act,
    }),
  );
  if (!isTaken) return STALE;
  if (again.length > 0) deps.onWithoutVectors();
  return (await store.find(present.id)) ?? STALE;
}

/** The memory as it was, without what it had absorbed and has no longer: those memories stand by themselves now. */
async function targetOf(
  deps: RevertDeps,
  { memory, present }: { readonly memory: Memory; readonly present: Memory },
): Promise<Memory> {
  const separateNow = absorbedBeside(memory, present);
  return {
    ...withKeysOf(separateNow.length > 0 ? withoutAbsorbed(memory, separateNow) : memory, present),
    ...(await successionOf(deps, memory, present)),
    agentId: present.agentId,
  };
}

/** The memories that the first one has absorbed and the second one has not. */
function absorbedBeside({ absorbed = [] }: Memory, other: Memory): readonly StoredMemory[] {
  const others = new Set((other.absorbed ?? []).map(({ memory }) => memory.id));
  return absorbed.filter(({ memory }) => !others.has(memory.id));
}

async function tryToBringBack(
  deps: RevertDeps,
  { before, ...about }: About & { before: StoredMemory },
): Promise<StoredMemory | typeof STALE> {
  const { now, act } = about;
  const { store, archive, embedding, maxMemories } = deps;
  const target = await broughtBack(deps, before.memory, now);
  const { id, importance, createdAt } = target;
  await checkRoomFor(deps, target);
  const losers = await losersAgain(deps, target, about);
  const absorbedIds = (target.absorbed ?? []).map((one) => one.memory.id);
  const isTaken = await store.changeTogether({
    expected: losers.map(versionOf),
    absent: { ids: [id, ...absorbedIds], keysOf: keysOf(target) },
    versions: about.versions,
    mostMemories: maxMemories,
    changes: [
      {
        op: 'add',
        memory: target,
        strength: strengthened(before.strength, { importance, createdAt, now }),
        vectors: await embedding.vectorsOf(recallText(target)),
      },
      ...losers.map((loser) => supersededAgain(loser, target, about.act)),
    ],
    act,
  });
  if (!isTaken) return STALE;
  await archive?.remove([id]);
  return (await store.find(id)) ?? STALE;
}

/** The memory as it was, without those of its absorbed memories that the store holds elsewhere. */
async function broughtBack(deps: RevertDeps, memory: Memory, now: number): Promise<Memory> {
  const elsewhere = [];
  for (const one of memory.absorbed ?? []) if (await deps.store.find(one.memory.id)) elsewhere.push(one);
  return {
    ...(elsewhere.length > 0 ? withoutAbsorbed(memory, elsewhere) : memory),
    ...(await successionOf(deps, memory)),
    updatedAt: Math.max(now, memory.updatedAt + 1),
  };
}

/** @throws ConflictError when its idempotency key is in use, or the store is full */
async function checkRoomFor({ store, maxMemories }: RevertDeps, memory: Memory): Promise<void> {
  const taken = await Promise.all(keysOf(memory).map((keyed) => store.findByIdempotencyKey(keyed)));
  if (taken.some((one) => one !== null)) {
    throw cannotRevert(
      `Memory '${memory.id}' cannot come back: its agent has said something else under its idempotency key.`,
    );
  }
  if ((await store.size()) >= maxMemories) throw storeIsFull();
}

const EXPIRED = (id: string) =>
  `Memory '${id}' cannot become what it was: that was to be gone by now. Edit it instead.`;
const SOURCES_CHANGED = (id: string) =>
  `Memory '${id}' was derived from memories that have changed or gone since: revert those, and consolidation derives it again.`;

function isAbsorbed(id: string, survivor: string): ConflictError {
  return cannotRevert(
    `Memory '${id}' has become one with '${survivor}', which says the same: undo that consolidation, or edit '${survivor}'.`,
    { absorbed_by: survivor },
  );
}

function cannotRevert(message: string, extra: Record<string, unknown> = {}): ConflictError {
  return new ConflictError(message, { code: 'cannot_revert', extra });
}

/** @param about.isKept whether this service keeps versions at all */
function unknownVersion(id: string, { version, isKept }: { version: string; isKept: boolean }): NotFoundError {
  const advice = isKept
    ? `take one from GET /memory/${id}/history, which keeps them for --history-days`
    : 'this service keeps no versions (--history-days 0), edit the memory instead';
  return new NotFoundError(`Memory '${id}' has no version '${version}': ${advice}.`, { code: 'unknown_version' });
}
