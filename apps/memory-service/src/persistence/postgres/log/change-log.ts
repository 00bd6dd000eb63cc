import type { Postgres } from '@agent-faculties/postgres-kit';
import type { ArchiveChange } from '../../../domain/memory/decision.ts';
import { keepPruned, prunedValues } from '../tables/pruned-table.ts';

/** A place in the log of a space: the number of its last change, and the token of the group that this change came with. */
export interface LogPosition {
  readonly sequence: number;
  readonly token: string;
}

/** Before the first change. Its token is that of no group, and one that the database takes for a token. */
export const LOG_START: LogPosition = { sequence: 0, token: '00000000-0000-0000-0000-000000000000' };

export interface LogHead extends LogPosition {
  /** Number of the last change that the checkpoint holds; 0: there is none. */
  readonly checkpoint: number;
  /** The token of that change; that of `LOG_START` where there is no checkpoint. */
  readonly checkpointToken: string;
  /** Each checkpoint has another one; null where there is none. */
  readonly checkpointId: string | null;
}

export interface LogLine extends LogPosition {
  readonly body: string;
}

/** The log is not the one that was read, or no longer goes back to there: what was read of it has to be read anew. */
export class LogForkError extends Error {}

const HEAD = {
  name: 'memory-head',
  text: 'SELECT head, token, checkpoint, checkpoint_token, checkpoint_id FROM memory.space WHERE name = $1',
};
// Each of these is one statement, and so one transaction and one round trip: all of the group is in the log, or nothing happens.
const APPEND_FIRST = {
  name: 'memory-append-first',
  text: `WITH won AS (
    INSERT INTO memory.space (name, head, token) VALUES ($1, cardinality($3::text[]), $2)
    ON CONFLICT (name) DO NOTHING RETURNING name
  )
  INSERT INTO memory.change (space, seq, token, body)
  SELECT $1, line.number, $2, line.body FROM won, unnest($3::text[]) WITH ORDINALITY line(body, number)`,
};
const APPEND = {
  name: 'memory-append',
  text: `WITH won AS (
    UPDATE memory.space SET head = head + cardinality($3::text[]), token = $2
    WHERE name = $1 AND head = $4 AND token = $5 RETURNING name
  )
  INSERT INTO memory.change (space, seq, token, body)
  SELECT $1, $4::bigint + line.number, $2, line.body FROM won, unnest($3::text[]) WITH ORDINALITY line(body, number)`,
};
// The lock keeps others from taking the same memories out of the archive meanwhile. The locks are taken in one order by all.
const APPEND_WITH_ARCHIVE = {
  name: 'memory-append-archive',
  text: `WITH there AS (
    SELECT id FROM memory.pruned WHERE space = $1 AND id = ANY ($6::text[]) ORDER BY id FOR UPDATE
  ), won AS (
    UPDATE memory.space SET head = head + cardinality($3::text[]), token = $2
    WHERE name = $1 AND head = $4 AND token = $5 AND (SELECT count(*) FROM there) = cardinality($6::text[])
    RETURNING name
  ), taken AS (
    DELETE FROM memory.pruned USING won WHERE space = won.name AND id = ANY ($6::text[])
  ), kept AS (
    ${keepPruned({ space: 'won.name', from: 'won', first: 7 })}
  )
  INSERT INTO memory.change (space, seq, token, body)
  SELECT $1, $4::bigint + line.number, $2, line.body FROM won, unnest($3::text[]) WITH ORDINALITY line(body, number)`,
};
// With the head of the same moment: others may write, and make a checkpoint, before a second statement asks for it.
const LINES = {
  name: 'memory-lines-and-head',
  text: `SELECT head, checkpoint, checkpoint_token, line.seq, line.token, line.body FROM memory.space LEFT JOIN (
      SELECT seq, token, body FROM memory.change WHERE space = $1 AND seq >= $2 ORDER BY seq LIMIT $3
    ) line ON true WHERE name = $1 ORDER BY line.seq`,
};

const FIRST_LINES = 50;
const MOST_LINES = 2_000;
/** Characters that are read at a time, about: one line may be long. */
const CHARACTERS = 2 * 1024 ** 2;

/** The log of one space in PostgreSQL. */
export class ChangeLog {
  readonly #postgres: Pick<Postgres, 'query'>;
  readonly #space: string;

  constructor({ postgres, space }: { postgres: Pick<Postgres, 'query'>; space: string }) {
    this.#postgres = postgres;
    this.#space = space;
  }

  async head(): Promise<LogHead> {
    const about = { ...HEAD, values: [this.#space] };
    const { rows } = await this.#postgres.query<{
      head: string;
      token: string;
      checkpoint: string;
      checkpoint_token: string | null;
      checkpoint_id: string | null;
    }>(about);
    const [row] = rows;
    if (!row) return { ...LOG_START, checkpoint: 0, checkpointToken: LOG_START.token, checkpointId: null };
    return {
      sequence: Number(row.head),
      token: row.token,
      checkpoint: Number(row.checkpoint),
      checkpointToken: row.checkpoint_token ?? LOG_START.token,
      checkpointId: row.checkpoint_id,
    };
  }

  /**
   * Writes lines as the next ones, under a token that no group had before, and makes the change of the archive with them.
   * @returns false, and nothing is written, where the head is no longer at `after`, or the archive lacks what is to be taken
   */
  async append(
    bodies: readonly string[],
    { after, token, archive }: { after: LogPosition; token: string; archive?: ArchiveChange | undefined },
  ): Promise<boolean> {
    const first = [this.#space, token, bodies];
    const values = [...first, after.sequence, after.token];
    const { rowCount } = archive
      ? await this.#postgres.query({
          ...APPEND_WITH_ARCHIVE,
          values: [...values, archive.take ?? [], ...prunedValues(archive.keep ?? [])],
        })
      : after.sequence === 0
        ? await this.#postgres.query({ ...APPEND_FIRST, values: first })
        : await this.#postgres.query({ ...APPEND, values });
    return rowCount === bodies.length;
  }

  /** The lines after a position, in order. @throws LogForkError where the log does not continue it */
  async *after({ sequence, token }: LogPosition): AsyncGenerator<LogLine> {
    let limit = FIRST_LINES;
    for (let position = { sequence, token }; ; ) {
      const { head, checkpoint, checkpointToken, lines } = await this.#read(position.sequence, limit + 1);
      // The line of the position itself, unless it was deleted after a checkpoint: what follows may be another history then.
      const isKnown = lines[0]?.sequence === position.sequence;
      const isCheckpoint = checkpoint === position.sequence && checkpointToken === position.token;
      if (isKnown ? lines[0]?.token !== position.token : !isCheckpoint) throw new LogForkError();
      let characters = 1;
      for (const line of isKnown ? lines.slice(1) : lines) {
        if (line.sequence !== position.sequence + 1) throw new LogForkError();
        position = line;
        characters += line.body.length;
        yield line;
      }
      if (lines.length <= limit) {
        // Without any line, a head that is further on tells that they were deleted.
        if (lines.length === Number(isKnown) && head > position.sequence) throw new LogForkError();
        return;
      }
      limit = Math.max(1, Math.min(MOST_LINES, Math.floor((CHARACTERS * lines.length) / characters)));
    }
  }

  /** The lines from a number on, and where the log begins and ends at that moment. */
  async #read(from: number, most: number) {
    const about = { ...LINES, values: [this.#space, from, most] };
    const { rows } = await this.#postgres.query<{
      head: string;
      checkpoint: string;
      checkpoint_token: string | null;
      seq: string | null;
      token: string;
      body: string;
    }>(about);
    const [first] = rows;
    const lines = rows.flatMap(({ seq, token, body }): LogLine[] =>
      seq === null ? [] : [{ sequence: Number(seq), token, body }],
    );
    return {
      head: Number(first?.head ?? 0),
      checkpoint: Number(first?.checkpoint ?? 0),
      checkpointToken: first?.checkpoint_token ?? LOG_START.token,
      lines,
    };
  }
}
