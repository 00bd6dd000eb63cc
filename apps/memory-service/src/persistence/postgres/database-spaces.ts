import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import type { Engine } from '../../domain/space/engine.ts';
import { openStore, type StoreOptions } from '../open-store.ts';
import { openEmpty } from '../space-folders.ts';
import type { SharedSpace } from './open-shared-space.ts';

const EXISTS = { name: 'memory-space-exists', text: 'SELECT 1 FROM memory.space WHERE name = $1' };
const NAMES = { name: 'memory-space-names', text: 'SELECT name FROM memory.space WHERE name <> $1 ORDER BY name' };

/** The spaces of a database, which several processes may have open at once. One exists from its first change on. */
export async function openDatabaseSpaces({
  shared,
  ...options
}: Omit<StoreOptions, 'shared'> & { readonly shared: Omit<SharedSpace, 'space'> }): Promise<Engine> {
  const { postgres } = shared.database;
  return {
    keeps: true,
    empty: await openEmpty(options),
    exists: async (name) => (await postgres.query({ ...EXISTS, values: [name] })).rowCount === 1,
    names: async () => {
      const { rows } = await postgres.query<{ name: string }>({ ...NAMES, values: [DEFAULT_SPACE] });
      return [DEFAULT_SPACE, ...rows.map(({ name }) => name)];
    },
    open: async (space) => await openStore({ ...options, shared: { ...shared, space } }),
    // The nights of a shared space are no affair of one process.
    atRest: async () => ({ lastNight: null, changedAt: null, hasChanged: false }),
  };
}
