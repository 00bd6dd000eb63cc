import type { Postgres } from '@agent-faculties/postgres-kit';
import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import type { Client } from '../memory-database.ts';
import { dropTableOf, newTable } from './table-of-space.ts';
import { VectorTable } from './vector-table.ts';

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
    const number = await newTable(client, { space, model });
    if (number === null) return null;
    const table = new VectorTable(postgres, { schema, number, dimension: model.dimension });
    await table.create(client);
    return table;
  });
}

/** Drops the table of a space that no checkpoint relies on. */
export async function dropUnannounced(client: Client, space: string): Promise<void> {
  // Behind a checkpoint that is being taken.
  await client.query('SELECT FROM memory.space WHERE name = $1 FOR UPDATE', [space]);
  await dropTableOf(client, { space, unlessReady: true });
}
