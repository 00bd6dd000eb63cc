import type { Postgres } from '@agent-faculties/postgres-kit';
import { untilTaken } from '../../../domain/concurrency/until-taken.ts';
import type { PrunedArchive, PrunedEntry } from '../../../domain/consolidation/pruning/pruned-archive.ts';
import type { PrunedMemory, Scope } from '../../../domain/memory/memory.ts';
import type { StoredMemory } from '../../../domain/memory/memory-store.ts';
import { prunedFromWire, prunedToWire } from '../../archive/pruned-line.ts';

/** The number of memories that are handed out at a time. */
const TAKEN_AT_ONCE = 50;

const ENTRY = 'id, scope, agent_id, project, pruned_at';
const ENTRIES = {
  name: 'memory-pruned-entries',
  text: `SELECT ${ENTRY} FROM memory.pruned WHERE space = $1 ORDER BY pruned_at DESC, id COLLATE "C" DESC`,
};
const ENTRIES_OF = {
  name: 'memory-pruned-find',
  text: `SELECT ${ENTRY} FROM memory.pruned WHERE space = $1 AND id = ANY ($2::text[])`,
};
const READ = {
  name: 'memory-pruned-read',
  text: 'SELECT id, body FROM memory.pruned WHERE space = $1 AND id = ANY ($2::text[])',
};
const KEEP = { name: 'memory-pruned-keep', text: keepPruned({ space: '$1::text', first: 2 }) };
// Locked in one order by all, so that nobody waits for each other.
const REMOVE = {
  name: 'memory-pruned-remove',
  text: `WITH there AS (
    SELECT id FROM memory.pruned WHERE space = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE
  )
  DELETE FROM memory.pruned USING there WHERE space = $1 AND pruned.id = there.id RETURNING pruned.id`,
};
const EXPIRE = {
  name: 'memory-pruned-expire',
  text: `DELETE FROM memory.pruned WHERE space = $1 AND pruned_at < $2 RETURNING ${ENTRY}`,
};
const REMOVE_COPIES = {
  name: 'memory-pruned-remove-copies',
  text: `DELETE FROM memory.pruned USING unnest($2::text[], $3::bigint[]) copy(id, pruned_at)
    WHERE space = $1 AND pruned.id = copy.id AND pruned.pruned_at = copy.pruned_at`,
};

interface EntryRow {
  readonly id: string;
  readonly scope: Scope;
  readonly agent_id: string;
  readonly project: string | null;
  readonly pruned_at: string;
}

export interface PrunedTableOptions {
  readonly postgres: Postgres;
  readonly space: string;
  /** Called after each statement: what is read of the store from then on has to be as young. */
  readonly onRead: () => void;
  /** Which of these memories the store holds, with all that was written before the question. */
  readonly storedAmong: (ids: readonly string[]) => Promise<readonly string[]>;
}

/** The archive of pruned memories of a space in a database. Memories come and go with the change of the log that moves them. */
export class PrunedTable implements PrunedArchive {
  readonly #options: PrunedTableOptions;

  constructor(options: PrunedTableOptions) {
    this.#options = options;
  }

  async keep(pruned: readonly StoredMemory[], nowMs: number): Promise<void> {
    await this.#query(KEEP, ...prunedValues(at(nowMs, pruned)));
  }

  async move(...[pruned, nowMs, change]: Parameters<PrunedArchive['move']>): Promise<boolean> {
    return await change({ keep: at(nowMs, pruned) });
  }

  async remove(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    return (await this.#query<{ id: string }>(REMOVE, ids)).map(({ id }) => id);
  }

  async find(id: string): Promise<PrunedEntry | null> {
    const [row] = await this.#query<EntryRow>(ENTRIES_OF, [id]);
    return row ? entryOf(row) : null;
  }

  async entries(): Promise<readonly PrunedEntry[]> {
    return (await this.#query<EntryRow>(ENTRIES)).map(entryOf);
  }

  async read(ids: readonly string[]): Promise<readonly PrunedMemory[]> {
    if (ids.length === 0) return [];
    const rows = await this.#query<{ id: string; body: string }>(READ, ids);
    const read = new Map(rows.map(({ id, body }) => [id, prunedFromWire(JSON.parse(body))]));
    return ids.flatMap((id) => read.get(id) ?? []);
  }

  async take(...[ids, use]: Parameters<PrunedArchive['take']>): Promise<void> {
    const there = new Set((await this.#query<EntryRow>(ENTRIES_OF, ids)).map(({ id }) => id));
    const wanted = ids.filter((id) => there.has(id));
    for (let start = 0; start < wanted.length; start += TAKEN_AT_ONCE) {
      const batch = wanted.slice(start, start + TAKEN_AT_ONCE);
      await untilTaken(async () => {
        const pruned = await this.read(batch);
        if (pruned.length === 0) return undefined;
        const take = pruned.map(({ memory }) => memory.id);
        const used = await use(pruned, { take });
        // Where there was nothing to change, nothing took them out.
        if (used === undefined)
          await this.#removeCopies(pruned.map(({ memory: { id }, prunedAt }) => ({ id, prunedAt })));
        return used;
      });
    }
  }

  /** Removes what an interrupted process has left too: memories that the store holds. */
  async expire(beforeMs: number): Promise<readonly PrunedEntry[]> {
    // The clock has parts of a millisecond, and the table has none.
    const expired = (await this.#query<EntryRow>(EXPIRE, Math.ceil(beforeMs))).map(entryOf);
    const copies = await this.entries();
    const stored = new Set(await this.#options.storedAmong(copies.map(({ id }) => id)));
    await this.#removeCopies(copies.filter(({ id }) => stored.has(id)));
    return expired;
  }

  /** Not by id alone: one may have been pruned again meanwhile. */
  async #removeCopies(copies: readonly Pick<PrunedEntry, 'id' | 'prunedAt'>[]): Promise<void> {
    if (copies.length === 0) return;
    const values = [copies.map(({ id }) => id), copies.map(({ prunedAt }) => prunedAt)];
    await this.#query(REMOVE_COPIES, ...values);
  }

  async #query<Row extends object>(statement: { name: string; text: string }, ...values: unknown[]): Promise<Row[]> {
    const { postgres, space, onRead } = this.#options;
    const { rows } = await postgres.query<Row>({ ...statement, values: [space, ...values] });
    onRead();
    return rows;
  }
}

/** Adds the memories of `prunedValues`, which are the parameters from `first` on; with `from`, for each row of that. */
export function keepPruned({ space, from, first }: { space: string; from?: string; first: number }): string {
  const [ids, scopes, agentIds, projects, times, bodies] = [0, 1, 2, 3, 4, 5].map((at) => `$${first + at}`);
  return `INSERT INTO memory.pruned (space, id, scope, agent_id, project, pruned_at, body)
    SELECT ${space}, one.* FROM ${from ? `${from}, ` : ''}unnest(
      ${ids}::text[], ${scopes}::text[], ${agentIds}::text[], ${projects}::text[], ${times}::bigint[], ${bodies}::text[]
    ) one
    ON CONFLICT (space, id) DO UPDATE SET scope = EXCLUDED.scope, agent_id = EXCLUDED.agent_id,
      project = EXCLUDED.project, pruned_at = EXCLUDED.pruned_at, body = EXCLUDED.body`;
}

/** One array for each column. */
export function prunedValues(pruned: readonly PrunedMemory[]): unknown[][] {
  return [
    pruned.map(({ memory }) => memory.id),
    pruned.map(({ memory }) => memory.scope),
    pruned.map(({ memory }) => memory.agentId),
    pruned.map(({ memory }) => memory.project),
    pruned.map(({ prunedAt }) => prunedAt),
    pruned.map((one) => JSON.stringify(prunedToWire(one))),
  ];
}

function at(prunedAt: number, stored: readonly StoredMemory[]): PrunedMemory[] {
  return stored.map((one) => ({ ...one, prunedAt }));
}

function entryOf({ id, scope, agent_id: agentId, project, pruned_at: prunedAt }: EntryRow): PrunedEntry {
  return { id, scope, agentId, project, prunedAt: Number(prunedAt) };
}
