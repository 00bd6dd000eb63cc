import { freePages, indexEntries, type Row, rowsOn } from './b-tree.ts';
import type { KnownPages } from './known-pages.ts';
import type { Value } from './record.ts';

/**
 * Tables whose rows are rescued, and how a row of each is recognized. The project is the last column, and absent in rows that were
 * written before there were projects.
 */
const TABLES = {
  events: {
    columns: 9,
    isRow: ([, id, agent, type, , timestamp, metadata]: Value[]) =>
      areTexts(id, agent, type) && typeof timestamp === 'number' && isMetadata(metadata),
  },
  tasks: {
    columns: 14,
    isRow: ([, id, agent, type, state, , started, , , , metadata]: Value[]) =>
      areTexts(id, agent, type) &&
      STATES.includes(state ?? null) &&
      typeof started === 'number' &&
      isMetadata(metadata),
  },
  stopwatches: {
    columns: 6,
    isRow: ([sequence, agent, name, started]: Value[]) =>
      sequence === null && areTexts(agent, name) && typeof started === 'number',
  },
  agents: { columns: 1, isRow: ([agent]: Value[]) => areTexts(agent) },
  task_types: { columns: 3, isRow: ([agent, type, project = '']: Value[]) => areTexts(agent, type, project) },
} as const;

const STATES: readonly Value[] = ['active', 'ended', 'abandoned'];

/** An index of each table that names every row. */
const NAMES = { events: 'events_id', tasks: 'tasks_correlation', stopwatches: 'stopwatches_name' } as const;

export type RescuedTable = keyof typeof TABLES;
export type NamedTable = keyof typeof NAMES;

/** Rows that are gone: one, with the name that an index still knows, or all that were in a range of sequences. */
export type Lost =
  | { readonly table: NamedTable; readonly sequence: number; readonly name: string }
  | { readonly table: NamedTable; readonly from: number; readonly to: number | null };

export interface Rescued {
  readonly rows: ReadonlyMap<RescuedTable, ReadonlyMap<number, Value[]>>;
  readonly lost: readonly Lost[];
  /** The last sequence of each table, so that no number is used twice. */
  readonly lastSequences: ReadonlyMap<NamedTable, number>;
  /** Whether rows that had been deleted may be among those rescued. */
  readonly mayHoldDeleted: boolean;
}

/** Reads every intact row on any page, and finds out which are missing. */
export function rescue(pages: KnownPages): Rescued {
  const { free, isWhole } = freePages(pages.page);
  const rows = new Map<RescuedTable, Map<number, Value[]>>(
    Object.keys(TABLES).map((table) => [table as RescuedTable, new Map()]),
  );
  const others: Row[] = [];
  for (let page = 1; page <= pages.count; page++) {
    if (free.has(page)) continue;
    for (const row of rowsOn(pages.page, page).rows) {
      const table = tableOf(row.values);
      if (table) rows.get(table)?.set(row.rowid, row.values);
      else others.push(row);
    }
  }
  const lastSequences = new Map<NamedTable, number>();
  const lost: Lost[] = [];
  for (const table of Object.keys(NAMES) as NamedTable[]) {
    const have = rows.get(table) as Map<number, Value[]>;
    const given = givenOut(others, table);
    const named = namesOf(pages, others, NAMES[table]);
    const gone = [...(named?.names ?? [])].filter(([sequence]) => !have.has(sequence));
    lost.push(...gone.map(([sequence, name]) => ({ table, sequence, name })));
    const known = new Set([...have.keys(), ...gone.map(([sequence]) => sequence)]);
    if (!named?.isWhole) lost.push(...gaps(table, known, given));
    lastSequences.set(
      table,
      [...known].reduce((most, sequence) => Math.max(most, sequence), given ?? 0),
    );
  }
  return { rows, lost, lastSequences, mayHoldDeleted: !isWhole };
}

function areTexts(...values: readonly (Value | undefined)[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function isMetadata(value: Value | undefined): boolean {
  if (typeof value !== 'string') return value === null;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

function tableOf(values: Value[]): RescuedTable | null {
  const found = Object.entries(TABLES).find(([table, { columns, isRow }]) => {
    const isOld = table !== 'agents' && values.length === columns - 1;
    return (isOld || values.length === columns) && isRow(values);
  });
  return (found?.[0] as RescuedTable | undefined) ?? null;
}

/** The last number that SQLite gave out, out of its table sqlite_sequence; null where that is lost. */
function givenOut(others: readonly Row[], table: NamedTable): number | null {
  const row = others.find(({ values }) => values.length === 2 && values[0] === table);
  return typeof row?.values[1] === 'number' ? row.values[1] : null;
}

/** Row id and name of every row that an index knows; null where the index cannot be found. */
function namesOf(pages: KnownPages, others: readonly Row[], index: string) {
  const schema = others.find(({ values }) => values.length === 5 && values[0] === 'index' && values[1] === index);
  const root = schema?.values[3];
  if (typeof root !== 'number') return null;
  const { entries, isWhole } = indexEntries(pages.page, root);
  const names = new Map(
    entries.map((entry) => [
      entry.at(-1) as number,
      entry
        .slice(0, -1)
        .filter((part) => part !== '')
        .join(' / '),
    ]),
  );
  return { names, isWhole };
}

/** Ranges of sequences of which nothing is known: rows that are lost, or had been deleted before. */
function gaps(table: NamedTable, known: ReadonlySet<number>, last: number | null): Lost[] {
  const found: Lost[] = [];
  let next = 1;
  for (const sequence of [...known].sort((a, b) => a - b)) {
    if (sequence > next) found.push({ table, from: next, to: sequence - 1 });
    next = sequence + 1;
  }
  if (last === null || last >= next) found.push({ table, from: next, to: last });
  return found;
}
