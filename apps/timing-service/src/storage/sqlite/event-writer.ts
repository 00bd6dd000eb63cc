import type { StoredEvent, TimingEvent } from '../../domain/event.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import { metadataText } from '../tables/rows.ts';
import { agents, events, taskTypes } from '../tables/schema.ts';
import { driverStatement, namedAll } from './driver-statement.ts';
import type { Db } from './faults.ts';

/** Who named a task type, and in which project. */
export interface Names {
  readonly agentId: string;
  readonly taskType: string | null;
  readonly project: string | null;
}

export type EventWriter = ReturnType<typeof eventWriter>;

/** The statements that write an event and the names in it, prepared once; they belong inside a transaction. */
export function eventWriter(db: Db) {
  const agent = db.insert(agents).values(namedAll('agentId'));
  const type = db.insert(taskTypes).values(namedAll('agentId', 'taskType', 'project'));
  const event = db
    .insert(events)
    .values(namedAll('id', 'agentId', 'eventType', 'taskType', 'timestampUs', 'metadata', 'correlationId', 'project'));
  const insertAgent = driverStatement(db, agent.onConflictDoNothing());
  const insertType = driverStatement(db, type.onConflictDoNothing());
  const insertEvent = driverStatement(db, event.onConflictDoNothing());

  function rememberNames({ agentId, taskType, project }: Names): void {
    // An agent with a known task type is known too: a type is never kept longer than its agent.
    if (taskType !== null && insertType.run({ agentId, taskType, project: project ?? '' }).changes === 0) return;
    insertAgent.run({ agentId });
  }

  return {
    rememberNames,
    /** Null when an event of this id is there already. */
    writeOnce(event: TimingEvent): StoredEvent | null {
      const { timestampMs, metadata, ...rest } = event;
      const written = insertEvent.run({
        timestampUs: toMicroseconds(timestampMs),
        metadata: metadataText(metadata),
        ...rest,
        project: event.project ?? '',
      });
      if (written.changes === 0) return null;
      rememberNames(event);
      // The new field first, as in `newEvent`.
      return { sequence: Number(written.lastInsertRowid), ...event };
    },
  };
}

/** An event with a fresh id cannot be there already. */
export function write(writer: EventWriter, event: TimingEvent): StoredEvent {
  const stored = writer.writeOnce(event);
  if (!stored) throw new Error(`event id ${event.id} was given out twice`);
  return stored;
}
