import type { EventFilter, EventStore, StoredEvent, TimingEvent } from '../../domain/event.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import { type NamePage, type NamePageRequest, namePage, type Page, type PageRequest } from '../../domain/page.ts';
import type { Whose } from '../../domain/whose.ts';
import { type EventRow, eventOf, metadataText } from '../tables/rows.ts';
import { EVENT_COLUMNS } from './columns.ts';
import { Conditions, newestFirst } from './newest-first.ts';
import { orLook, type SpaceDatabase } from './space-database.ts';

/** The instant from which the age of a row counts, where a period was made for it; 0 else. $6 is the time of the event. */
export const KEPT =
  'coalesce((SELECT $6::bigint FROM timing.period WHERE from_us <= $6::bigint AND $6::bigint < to_us), 0)';

/** The columns of an event, from $2 on; its number comes from `won`. */
export const EVENT_VALUES = `INSERT INTO timing.event
  (space, sequence, id, agent_id, event_type, task_type, timestamp_us, metadata, correlation_id, project, kept_us)
  SELECT $1, head, $2, $3, $4, $5, $6::bigint, $7, $8, $9, ${KEPT} FROM won`;

/** The names in an event, as far as they are not known. */
export const EVENT_NAMES = `named_agent AS (INSERT INTO timing.agent SELECT $1, $3 FROM won ON CONFLICT DO NOTHING),
  named_type AS (INSERT INTO timing.task_type SELECT $1, $3, $5, $9 FROM won WHERE $5::text IS NOT NULL ON CONFLICT DO NOTHING)`;

/** A space is there from its first number on. */
export const NEXT_NUMBER = `INSERT INTO timing.space AS here (name, head) VALUES ($1, 1)
  ON CONFLICT (name) DO UPDATE SET head = here.head + 1 RETURNING head`;

export function eventValues({ timestampMs, ...event }: TimingEvent): unknown[] {
  const { id, agentId, eventType, taskType, metadata, correlationId, project } = event;
  return [
    id,
    agentId,
    eventType,
    taskType,
    toMicroseconds(timestampMs),
    metadataText(metadata),
    correlationId,
    project ?? '',
  ];
}

const RECORD = `WITH won AS (${NEXT_NUMBER}), written AS (${EVENT_VALUES}), ${EVENT_NAMES} SELECT head::float8 AS sequence FROM won`;

const EVENTS = {
  table: 'event',
  columns: EVENT_COLUMNS,
  time: 'timestamp_us',
  timeOf: (row: EventRow) => row.timestampUs,
};

export class PostgresEventStore implements EventStore {
  readonly #space: SpaceDatabase;

  constructor(space: SpaceDatabase) {
    this.#space = space;
  }

  async record(event: TimingEvent): Promise<StoredEvent> {
    return await orLook(
      async () => {
        const [row] = await this.#space.rows<{ sequence: number }>(RECORD, eventValues(event), 'timing_record');
        return { ...event, ...(row as { sequence: number }) };
      },
      () => this.find(event.id),
    );
  }

  async find(id: string): Promise<StoredEvent | null> {
    const row = await this.#space.row<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM timing.event WHERE space = $1 AND id = $2`,
      [id],
      'timing_event',
    );
    return row && eventOf(row);
  }

  async list(filter: EventFilter, page: PageRequest): Promise<Page<StoredEvent>> {
    const where = new Conditions()
      .equal('correlation_id', filter.correlationId)
      .equal('task_type', filter.taskType)
      .equal('agent_id', filter.agentId ?? undefined)
      .equal('event_type', filter.eventType)
      .seenIn(filter.project)
      .between('timestamp_us', filter.sinceMs, filter.untilMs);
    const found = await newestFirst(this.#space, EVENTS, where, page);
    return { ...found, items: found.items.map(eventOf) };
  }

  async since(sequence: number, { agentId, project, limit }: Whose & { limit: number }): Promise<StoredEvent[]> {
    const where = new Conditions().equal('agent_id', agentId ?? undefined).seenIn(project);
    const after = where.value(sequence);
    const rows = await this.#space.rows<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM timing.event WHERE space = $1 AND sequence > ${after}${where.text}
       ORDER BY event.sequence LIMIT ${where.value(limit)}`,
      where.values,
    );
    return rows.map(eventOf);
  }

  async lastSequence(): Promise<number> {
    const row = await this.#space.row<{ last: number | null }>(
      'SELECT max(sequence)::float8 AS last FROM timing.event WHERE space = $1',
    );
    return row?.last ?? 0;
  }

  async agents({ limit, after }: NamePageRequest): Promise<NamePage> {
    const rows = await this.#space.rows<{ name: string }>(
      'SELECT agent_id AS name FROM timing.agent WHERE space = $1 AND agent_id > $2 ORDER BY agent_id LIMIT $3',
      [after ?? '', limit + 1],
    );
    return namePage(names(rows), limit);
  }

  async taskTypes({ agentId, project }: Whose): Promise<string[]> {
    const where = new Conditions().equal('agent_id', agentId ?? undefined).seenIn(project);
    const rows = await this.#space.rows<{ name: string }>(
      `SELECT DISTINCT task_type AS name FROM timing.task_type WHERE space = $1${where.text} ORDER BY task_type`,
      where.values,
    );
    return names(rows);
  }

  async hasTaskType({ agentId, project }: Whose, taskType: string): Promise<boolean> {
    const where = new Conditions()
      .equal('task_type', taskType)
      .equal('agent_id', agentId ?? undefined)
      .seenIn(project);
    const row = await this.#space.row(
      `SELECT 1 FROM timing.task_type WHERE space = $1${where.text} LIMIT 1`,
      where.values,
    );
    return row !== null;
  }

  async projects({ agentId, project }: Whose, { limit, after }: NamePageRequest): Promise<NamePage> {
    const where = new Conditions().equal('agent_id', agentId ?? undefined).equal('project', project ?? undefined);
    // No project is the empty text.
    where.and(`project > ${where.value(after ?? '')}`);
    const rows = await this.#space.rows<{ name: string }>(
      `SELECT DISTINCT project AS name FROM timing.task_type WHERE space = $1${where.text}
       ORDER BY project LIMIT ${where.value(limit + 1)}`,
      where.values,
    );
    return namePage(names(rows), limit);
  }
}

function names(rows: readonly { readonly name: string }[]): string[] {
  return rows.map(({ name }) => name);
}
