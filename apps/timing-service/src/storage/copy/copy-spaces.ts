import { type CopyPlace, type CopySource, type CopyTarget, NUMBERED, type Numbered, type Row } from './copied-rows.ts';

/** Rows of a transaction: a kill loses no more than that. */
const PAGE = 1_000;
/** Numbers that are compared at once. */
const NUMBERS = 20_000;

/** Why nothing more is copied, in words for the operator. */
export class CopyError extends Error {}

/** What is in the spaces that were copied, and how many rows this run wrote or removed for it. */
export interface Copied {
  readonly spaces: number;
  readonly events: number;
  readonly tasks: number;
  readonly stopwatches: number;
  readonly written: number;
  readonly removed: number;
}

/**
 * Makes the target's spaces equal to the source's, row by row and number by number. It goes on where an earlier run was cut short, and
 * brings what was written, changed and deleted since an earlier one. What a target holds must come from the source.
 * @param only one space; null for all
 * @throws CopyError, or the error of an engine
 */
export async function copySpaces(
  source: CopyPlace<CopySource>,
  target: CopyPlace<CopyTarget>,
  only: string | null,
): Promise<Copied> {
  const names = await source.spaces();
  if (only !== null && !names.includes(only)) {
    throw new CopyError(`${source.name} has no space '${only}': it has ${names.join(', ')}.`);
  }
  let sum: Copied = { spaces: 0, events: 0, tasks: 0, stopwatches: 0, written: 0, removed: 0 };
  for (const name of only === null ? names : [only]) {
    const copied = await copySpace(await source.open(name), await target.open(name), {
      refusal: `The space '${name}' of ${target.name} holds something that ${source.name} does not: nothing was changed in it.`,
    });
    sum = {
      spaces: sum.spaces + 1,
      events: sum.events + copied.events,
      tasks: sum.tasks + copied.tasks,
      stopwatches: sum.stopwatches + copied.stopwatches,
      written: sum.written + copied.written,
      removed: sum.removed + copied.removed,
    };
  }
  return sum;
}

async function copySpace(
  source: CopySource,
  target: CopyTarget,
  { refusal }: { readonly refusal: string },
): Promise<Omit<Copied, 'spaces'>> {
  const areCopies = [
    await isCopyOf(source, target, 'event'),
    await isCopyOf(source, target, 'task'),
    await hasNoStopwatchesOfItsOwn(source, target),
  ];
  if (areCopies.includes(false)) {
    throw new CopyError(
      `${refusal} A space can be copied into an empty one, or into its own copy as long as nobody has written to it.`,
    );
  }
  // Before anything else, because an id of what was deleted may be in use again.
  const removed = (await removeDeleted(source, target, 'task')) + (await removeDeleted(source, target, 'event'));
  let written = await changeTasks(source, target);
  for (const table of ['event', 'task'] as const) written += await addRows(source, target, table);
  const [stopwatch, agent, task_type] = [
    await source.all('stopwatch'),
    await source.all('agent'),
    await source.all('task_type'),
  ];
  await target.finish({ stopwatch, agent, task_type }, await source.lastGiven());
  return {
    events: await target.count('event'),
    tasks: await target.count('task'),
    stopwatches: stopwatch.length,
    written,
    removed,
  };
}

/** Whether the newest rows of the target are the source's, under their numbers, as far as the source has not deleted them. */
async function isCopyOf(source: CopySource, target: CopyTarget, table: Numbered): Promise<boolean> {
  const newest = await target.newest(table, PAGE);
  const last = newest[0]?.sequence ?? 0;
  if (last === 0) return true;
  if ((last as number) > (await source.lastGiven())[table]) return false;
  const theirs = await source.of(
    table,
    newest.map(({ sequence }) => sequence as number),
  );
  const id = table === 'event' ? 'id' : 'correlation_id';
  const ids = new Map(newest.map((row) => [row.sequence, row[id]]));
  return theirs.length > 0 && theirs.every((row) => ids.get(row.sequence as number) === row[id]);
}

/** Stopwatches come and go, so they tell only where there is nothing else to tell by. */
async function hasNoStopwatchesOfItsOwn(source: CopySource, target: CopyTarget): Promise<boolean> {
  if ((await target.newest('event', 1)).length + (await target.newest('task', 1)).length > 0) return true;
  const nameOf = ({ agent_id, name, project }: Row) => JSON.stringify([agent_id, name, project]);
  const theirs = new Set((await source.all('stopwatch')).map(nameOf));
  return (await target.all('stopwatch')).every((stopwatch) => theirs.has(nameOf(stopwatch)));
}

async function removeDeleted(source: CopySource, target: CopyTarget, table: Numbered): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const mine = await target.sequencesAfter(table, after, NUMBERS);
    const last = mine.at(-1);
    if (last === undefined) return removed;
    const theirs = new Set(await source.sequencesAfter(table, after, NUMBERS));
    // The source may have more between the same bounds, never fewer pages of the same numbers.
    const gone = await missing(
      source,
      table,
      mine.filter((sequence) => !theirs.has(sequence)),
    );
    for (let from = 0; from < gone.length; from += PAGE) await target.remove(table, gone.slice(from, from + PAGE));
    removed += gone.length;
    after = last;
  }
}

/** Those of these numbers whose rows the source no longer has. */
async function missing(source: CopySource, table: Numbered, sequences: readonly number[]): Promise<number[]> {
  const gone: number[] = [];
  for (let from = 0; from < sequences.length; from += PAGE) {
    const asked = sequences.slice(from, from + PAGE);
    const there = new Set((await source.of(table, asked)).map(({ sequence }) => sequence));
    gone.push(...asked.filter((sequence) => !there.has(sequence)));
  }
  return gone;
}

/** Nothing leaves `ended`, so only tasks that had not ended can have changed. */
async function changeTasks(source: CopySource, target: CopyTarget): Promise<number> {
  let changed = 0;
  for (let after = 0; ; ) {
    const open = await target.openAfter(after, PAGE);
    const last = open.at(-1);
    if (!last) return changed;
    const before = new Map(open.map((row) => [row.sequence, textOf(row)]));
    const now = await source.of(
      'task',
      open.map(({ sequence }) => sequence as number),
    );
    const rows = now.filter((row) => before.get(row.sequence as number) !== textOf(row));
    if (rows.length > 0) await target.change(rows);
    changed += rows.length;
    after = last.sequence as number;
  }
}

function textOf(row: Row): string {
  return JSON.stringify(NUMBERED.task.map((column) => row[column]));
}

async function addRows(source: CopySource, target: CopyTarget, table: Numbered): Promise<number> {
  let added = 0;
  const [newest] = await target.newest(table, 1);
  for (let after = (newest?.sequence ?? 0) as number; ; ) {
    const rows = await source.after(table, after, PAGE);
    if (rows.length > 0) await target.add(table, rows);
    added += rows.length;
    if (rows.length < PAGE) return added;
    after = rows.at(-1)?.sequence as number;
  }
}
