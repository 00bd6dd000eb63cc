import { createHash } from 'node:crypto';
import type { Postgres } from '@agent-faculties/postgres-kit';
import type { MemoryText, NearChunk } from '../../../search/vectors/distant-vectors.ts';
import type { LogPosition } from '../log/change-log.ts';
import type { Client } from '../memory-database.ts';

/** What decides how good a search is: rows that the index brings for each that is wanted, which are then compared exactly. */
const BROUGHT_FOR_EACH = 2;
const LEAST_BROUGHT = 400;
/** The largest that pgvector allows; a search for more goes on from there. */
const LARGEST_EF = 1_000;
/** Rows of the index that a search looks at, at most, for each that is wanted. */
const SCANNED_FOR_EACH = 20;
const LEAST_SCANNED = 20_000;
/** What `vector_send` writes before the values, which are big-endian: the dimension, and nothing. */
const SENT_HEADER_BYTES = 4;
/** A page has 8 kB; what is longer is kept outside of it in any case. */
const LONGEST_IN_PAGE_BYTES = 7_500;
/** How often the server looks whether the process that has an index made is still there. */
const CLIENT_LOOKED_FOR_EVERY = '1s';
/** The state of a statement that names a table which is not there. */
const NO_SUCH_TABLE = '42P01';

// The lock is that of foreign keys: it lets changes through, and no checkpoint, which deletes rows of the table.
const FENCE = `SELECT FROM memory.space WHERE name = $1 AND checkpoint <= $2
  AND ((head, token) = ($2, $3) OR (checkpoint, checkpoint_token) = ($2, $3)
    OR EXISTS (SELECT FROM memory.change WHERE space = $1 AND (seq, token) = ($2, $3))) FOR KEY SHARE`;

/** The vector of one chunk of a text. */
export interface VectorRow extends MemoryText {
  readonly chunk: number;
  readonly vector: Float32Array;
}

/** A memory of which a table has vectors that it no longer has. */
export interface OutdatedVectors {
  readonly id: string;
  /** Of the text whose vectors it has now; null: it has none. */
  readonly digest: string | null;
}

export interface VectorTableOptions {
  /** Of the extension, as an identifier. */
  readonly schema: string;
  readonly number: number;
  readonly dimension: number;
}

/**
 * The vectors of one space in a table of its own, with an HNSW index over half as many bits; cosines come from all bits. A row is named
 * by the memory and its text: whoever reads it gets a vector of that text, or nothing.
 */
export class VectorTable {
  readonly number: number;
  readonly #postgres: Postgres;
  readonly #dimension: number;
  readonly #name: string;
  readonly #schema: string;

  constructor(postgres: Postgres, { schema, number, dimension }: VectorTableOptions) {
    this.#postgres = postgres;
    this.#schema = schema;
    this.number = number;
    this.#dimension = dimension;
    this.#name = nameOf(number);
  }

  get #vector(): string {
    return `${this.#schema}.vector(${this.#dimension})`;
  }

  get #half(): string {
    return `${this.#schema}.halfvec(${this.#dimension})`;
  }

  /** The operator of the negative inner product, by which unit vectors are in the order of their cosines. */
  get #away(): string {
    return `OPERATOR(${this.#schema}.<#>)`;
  }

  /** An empty table; the index comes when it is filled, which is quicker. */
  async create(client: Client): Promise<void> {
    await client.query(`CREATE TABLE ${this.#name} (
      id text NOT NULL, digest text NOT NULL, chunk smallint NOT NULL, v ${this.#vector} NOT NULL, PRIMARY KEY (id, digest, chunk))`);
    if (this.#dimension * Float32Array.BYTES_PER_ELEMENT >= LONGEST_IN_PAGE_BYTES) return;
    await client.query(`ALTER TABLE ${this.#name} ALTER COLUMN v SET STORAGE PLAIN`);
  }

  /** Takes minutes for millions of rows, which may be deleted meanwhile. The server ends it when this process is gone. */
  async createIndex(): Promise<void> {
    const what = `${this.#name} USING hnsw ((v::${this.#half}) ${this.#schema}.halfvec_ip_ops)`;
    await this.#postgres.direct(async (client) => {
      // A server on Windows cannot: there it goes on to its end. Behind a pooler it holds for who has the connection next too, and does no harm.
      await client.query(`SET client_connection_check_interval = '${CLIENT_LOOKED_FOR_EVERY}'`).catch(() => {});
      await client.query(`CREATE INDEX CONCURRENTLY ON ${what}`);
    });
  }

  /** Those of the rows that are not there, or are there with another vector. */
  async lacking(rows: readonly VectorRow[]): Promise<VectorRow[]> {
    if (rows.length === 0) return [];
    const { rows: found } = await this.#postgres.query<{ place: number }>({
      name: `memory-vectors-lacking-${this.number}`,
      text: `SELECT place::int - 1 AS place
        FROM unnest($1::text[], $2::text[], $3::smallint[], $4::text[]) WITH ORDINALITY asked (id, digest, chunk, sum, place)
        LEFT JOIN ${this.#name} v USING (id, digest, chunk)
        WHERE encode(sha256(${this.#schema}.vector_send(v.v)), 'hex') IS DISTINCT FROM asked.sum`,
      values: [...namesOf(rows), rows.map(({ vector }) => sumOf(vector))],
    });
    return found.map(({ place }) => rows[place] as VectorRow);
  }

  /**
   * Puts rows of memories as they are at a position of the log, all in one order, so that two who put the same do not block each other.
   * @returns false, and nothing happens, where the log does not have that position, or there is a later checkpoint
   */
  async put(
    rows: readonly VectorRow[],
    { space, position }: { space: string; position: LogPosition },
  ): Promise<boolean> {
    return await this.#postgres.transaction(async (client) => {
      const { rowCount } = await client.query(FENCE, [space, position.sequence, position.token]);
      if (rowCount !== 1) return false;
      await client.query(
        `INSERT INTO ${this.#name} (id, digest, chunk, v)
         SELECT id, digest, chunk, v::${this.#vector} FROM unnest($1::text[], $2::text[], $3::smallint[], $4::text[]) AS row (id, digest, chunk, v)
         ORDER BY id, digest, chunk
         ON CONFLICT (id, digest, chunk) DO UPDATE SET v = EXCLUDED.v`,
        [...namesOf(rows), rows.map(({ vector }) => literal(vector))],
      );
      return true;
    });
  }

  /** Of one text of each of these memories, by id, chunk by chunk. */
  async fetch(texts: readonly MemoryText[]): Promise<Map<string, Float32Array[]>> {
    const rows = await this.#read<{ id: string; chunk: number; v: string }>({
      name: `memory-vectors-${this.number}`,
      text: `SELECT id, chunk, encode(${this.#schema}.vector_send(v), 'base64') AS v FROM ${this.#name}
        JOIN unnest($1::text[], $2::text[]) AS wanted (id, digest) USING (id, digest)`,
      values: [texts.map(({ id }) => id), texts.map(({ digest }) => digest)],
    });
    const found = new Map<string, Float32Array[]>();
    for (const { id, chunk, v } of rows) {
      const vectors = found.get(id) ?? [];
      found.set(id, vectors);
      vectors[chunk] = valuesOf(v);
    }
    return found;
  }

  async nearest(query: Float32Array, count: number): Promise<NearChunk[]> {
    const brought = Math.max(LEAST_BROUGHT, BROUGHT_FOR_EACH * count);
    const settings = {
      'hnsw.ef_search': Math.min(LARGEST_EF, brought),
      'hnsw.iterative_scan': 'relaxed_order',
      'hnsw.max_scan_tuples': Math.max(LEAST_SCANNED, SCANNED_FOR_EACH * count),
      // The index is what stays quick, whatever the statistics of the table say.
      enable_seqscan: 'off',
      jit: 'off',
    };
    return await orNothing(
      this.#postgres.transaction(async (client) => {
        const each = Object.keys(settings).map((name, place) => `set_config('${name}', $${place + 1}, true)`);
        await client.query(`SELECT ${each.join(', ')}`, Object.values(settings).map(String));
        const { rows } = await client.query<NearChunk>({
          name: `memory-nearest-${this.number}`,
          text: `WITH near AS MATERIALIZED (
              SELECT id, digest, chunk, v FROM ${this.#name} ORDER BY (v::${this.#half}) ${this.#away} ($1::text::${this.#half}) LIMIT $2
            )
            SELECT id, digest, chunk, -(v ${this.#away} $1::text::${this.#vector}) AS cosine FROM near ORDER BY cosine DESC LIMIT $3`,
          values: [literal(query), brought, count],
        });
        return rows;
      }),
    );
  }

  async nearestAmong(ids: readonly string[], query: Float32Array, count: number): Promise<NearChunk[]> {
    return await this.#read<NearChunk>({
      name: `memory-nearest-among-${this.number}`,
      text: `SELECT id, digest, chunk, -(v ${this.#away} $1::text::${this.#vector}) AS cosine FROM ${this.#name}
        WHERE id = ANY ($2::text[]) ORDER BY cosine DESC LIMIT $3`,
      values: [literal(query), ids, count],
    });
  }

  async #read<Row extends object>(statement: { name: string; text: string; values: unknown[] }): Promise<Row[]> {
    return await orNothing(this.#postgres.query<Row & Record<string, unknown>>(statement).then(({ rows }) => rows));
  }
}

function nameOf(number: number): string {
  return `memory.vector_${number}`;
}

/** Whether the table is there. */
export async function isTableThere(postgres: Postgres, number: number): Promise<boolean> {
  const { rows } = await postgres.query<{ there: boolean }>({
    text: 'SELECT to_regclass($1) IS NOT NULL AS there',
    values: [nameOf(number)],
  });
  return rows[0]?.there === true;
}

export async function dropTable(client: Client, number: number): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS ${nameOf(number)}`);
}

/** Takes what memories had out of a table. @param of.outdated.digest of the text whose vectors stay; null: none do */
export async function takeOut(
  client: Client,
  { number, outdated }: { number: number; outdated: readonly OutdatedVectors[] },
): Promise<void> {
  await client.query(
    `DELETE FROM ${nameOf(number)} v USING unnest($1::text[], $2::text[]) AS outdated (id, digest)
     WHERE v.id = outdated.id AND v.digest IS DISTINCT FROM outdated.digest`,
    [outdated.map(({ id }) => id), outdated.map(({ digest }) => digest)],
  );
}

/** A table that another process has dropped holds nothing. */
async function orNothing<Row>(reading: Promise<Row[]>): Promise<Row[]> {
  return await reading.catch((error: unknown) => {
    if (isNoSuchTable(error)) return [];
    throw error;
  });
}

/** Whether a statement named a table that is not there. */
export function isNoSuchTable(error: unknown): boolean {
  return ((error as Error).cause as { code?: unknown } | undefined)?.code === NO_SUCH_TABLE;
}

function namesOf(rows: readonly VectorRow[]): [string[], string[], number[]] {
  return [rows.map(({ id }) => id), rows.map(({ digest }) => digest), rows.map(({ chunk }) => chunk)];
}

function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

/** SHA-256 of what `vector_send` writes, in hexadecimal. */
function sumOf(vector: Float32Array): string {
  const sent = Buffer.alloc(SENT_HEADER_BYTES + vector.byteLength);
  sent.writeUInt16BE(vector.length);
  const values = sent.subarray(SENT_HEADER_BYTES);
  values.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  values.swap32();
  return createHash('sha256').update(sent).digest('hex');
}

function valuesOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  // A copy, because values begin at multiples of four.
  const values = new Uint8Array(bytes.subarray(SENT_HEADER_BYTES));
  Buffer.from(values.buffer).swap32();
  return new Float32Array(values.buffer);
}
