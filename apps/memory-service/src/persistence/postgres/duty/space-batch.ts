import type { Postgres, Statement } from '@agent-faculties/postgres-kit';

/** How long those who ask wait for others. */
const WINDOW_MS = 10;

interface Asked<Row> {
  readonly value: string;
  readonly answer: Promise<Row | null>;
}

/**
 * One statement for all spaces that are asked about at about the same time, so that a thousand open ones cost what one does. The statement
 * gets the names of the spaces, sorted, and a value of each; its rows name their space.
 */
export class SpaceBatch<Row extends { readonly space: string }> {
  readonly #postgres: Postgres;
  readonly #statement: Statement;
  #next = new Map<string, Asked<Row>>();
  #rows: Promise<ReadonlyMap<string, Row>> | null = null;

  constructor(postgres: Postgres, statement: Statement) {
    this.#postgres = postgres;
    this.#statement = statement;
  }

  /** Null where there is no row of the space. @throws what the database throws, to all who asked */
  async ask(space: string, value = ''): Promise<Row | null> {
    const known = this.#next.get(space);
    if (known?.value === value) return await known.answer;
    // A statement has one value of a space.
    if (known) this.#close();
    this.#rows ??= this.#soon(this.#next);
    const answer = this.#rows.then((rows) => rows.get(space) ?? null);
    this.#next.set(space, { value, answer });
    return await answer;
  }

  async #soon(asked: Map<string, Asked<Row>>): Promise<ReadonlyMap<string, Row>> {
    await new Promise<void>((resolve) => setTimeout(resolve, WINDOW_MS));
    if (this.#next === asked) this.#close();
    // Two processes lock the rows of the same spaces in one order.
    const spaces = [...asked.keys()].sort();
    const values = [spaces, spaces.map((space) => asked.get(space)?.value)];
    const { rows } = await this.#postgres.query<Row>({ ...this.#statement, values });
    return new Map(rows.map((row) => [row.space, row]));
  }

  #close(): void {
    this.#next = new Map();
    this.#rows = null;
  }
}
