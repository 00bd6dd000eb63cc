import type { Postgres } from '@agent-faculties/postgres-kit';
import { LOG_START } from '../log/change-log.ts';
import { SpaceBatch } from './space-batch.ts';

/** The head of the log of a space, and what else tells an idle process whether it has to look. */
export interface SpaceHead {
  readonly space: string;
  readonly head: string;
  readonly token: string;
  readonly checkpoint: string;
  /** Another one after each change of the run log; null where there is none. */
  readonly runs: string | null;
}

const HEADS = {
  name: 'memory-heads',
  text: `SELECT name AS space, coalesce(space.head, 0) AS head, coalesce(space.token, '${LOG_START.token}') AS token,
      coalesce(space.checkpoint, 0) AS checkpoint, run_log.xmin::text AS runs
    FROM unnest($1::text[], $2::text[]) asked (name, nothing) LEFT JOIN memory.space USING (name)
    LEFT JOIN memory.run_log ON run_log.space = name`,
};

/** A killed holder is replaced after this time. */
const LEASE_LASTS = '25 seconds';

const LEASES = {
  name: 'memory-take-leases',
  text: `INSERT INTO memory.lease AS held (space, holder, until)
    SELECT space, holder::uuid, now() + interval '${LEASE_LASTS}' FROM unnest($1::text[], $2::text[]) asked (space, holder)
    ON CONFLICT (space) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
    WHERE held.holder = EXCLUDED.holder OR held.until < now() RETURNING held.space`,
};

/** What a process asks for its open spaces while nobody uses them. */
export interface IdleBatches {
  readonly heads: SpaceBatch<SpaceHead>;
  /** With the holder as the value; a row for each space whose lease it has then. */
  readonly leases: SpaceBatch<{ readonly space: string }>;
}

const known = new WeakMap<Postgres, IdleBatches>();

/** The batches that all spaces of a database share. */
export function idleBatchesOf(postgres: Postgres): IdleBatches {
  const batches = known.get(postgres) ?? {
    heads: new SpaceBatch<SpaceHead>(postgres, HEADS),
    leases: new SpaceBatch<{ space: string }>(postgres, LEASES),
  };
  known.set(postgres, batches);
  return batches;
}
