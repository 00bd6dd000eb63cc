import type { Postgres } from '@agent-faculties/postgres-kit';
import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import type { Client } from '../memory-database.ts';
import { dropTables, VectorTable } from './vector-table.ts';

/**
 * Makes the table of a space, empty, in the place of one that no checkpoint has announced.
 * @returns null where a checkpoint has announced one meanwhile
 */
export async function makeTable(
  postgres: Postgres,
  { space, model, schema }: { readonly space: string; readonly model: VectorModel; readonly schema: string },
): Promise<VectorTable | null> {
  return await postgres.transaction(async (client) => {
    await dropUnannounced(client, space);
    const { rows } = await client.query<{ number: string }>(
      'INSERT INTO memory.vector_table (space, model) VALUES ($1, $2) ON CONFLICT (space) DO NOTHING RETURNING number',
      [space, model.id],
    );
    const [row] = rows;
    if (!row) return null;
    const table = new VectorTable(postgres, { schema, number: Number(row.number), dimension: model.dimension });
    await table.create(client);
    return table;
  });
}

/** Drops the table of a space that no checkpoint relies on. */
export async function dropUnannounced(client: Client, space: string): Promise<void> {
  // Behind a checkpoint that is being taken.
  await client.query('SELECT FROM memory.space WHERE name = $1 FOR UPDATE', [space]);
  await dropTables(client, { space, unlessReady: true });
}
