import type { Logger } from '@agent-faculties/service-kit';
import type { EventStreams, HookCalls } from '@agent-faculties/service-kit/http';
import type { RecordDeps } from './domain/record.ts';
import type { SpaceParts, StoredSpace } from './domain/space.ts';
import { eventHandlers } from './http/events.ts';
import { hookHandlers } from './http/hooks.ts';
import { type HealthDeps, healthHandlers, nameHandlers } from './http/service.ts';
import { statisticsHandlers } from './http/statistics.ts';
import { stopwatchHandlers } from './http/stopwatches.ts';
import { streamHandlers } from './http/stream.ts';
import { type spanCounter, traceHandlers } from './http/traces.ts';
import { transferHandlers } from './http/transfer.ts';
import type { ReadTransferLine } from './wire/transfer-lines.ts';

const CLOCK_WARNING = 'the clock was set back: a duration was taken as 0';

/** A space that answers requests, or the stand-in for one that does not exist. */
export interface ServedSpace {
  readonly name: string;
  readonly stored: StoredSpace;
  readonly parts: SpaceParts;
  readonly handlers: ReturnType<typeof spaceHandlers>;
}

/** What all spaces of a process share. */
export interface SharedParts extends Pick<RecordDeps, 'clock' | 'ids'>, Pick<HealthDeps, 'version' | 'startedAtMs'> {
  readonly log: Logger;
  /** Of the database of a space. */
  readonly placeOf: (space: string) => string;
  readonly streams: EventStreams;
  readonly calls: HookCalls;
  readonly spans: ReturnType<typeof spanCounter>;
  readonly readLine: ReadTransferLine;
  readonly trustHeader: boolean;
  readonly serverTimeZone: string;
}

/** @param shared.feed that of the stand-in, whose listeners stay; absent: the feed of the space itself */
export function serveSpace(
  name: string,
  stored: StoredSpace,
  { feed = stored.feed, ...shared }: SharedParts & { readonly feed?: StoredSpace['feed'] | undefined },
): ServedSpace {
  const parts = { ...stored.stores, feed };
  return {
    name,
    stored,
    parts,
    handlers: spaceHandlers(parts, { ...shared, place: () => shared.placeOf(name), condition: stored.condition }),
  };
}

interface HandlerParts extends SharedParts, Pick<HealthDeps, 'place' | 'condition'> {}

/** The operations of one space. */
function spaceHandlers(parts: SpaceParts, { log, streams, place, condition, ...common }: HandlerParts) {
  const recording: RecordDeps = {
    ...common,
    ...parts,
    onClockStep: ({ correlationId }) => log.warn({ correlation_id: correlationId }, CLOCK_WARNING),
  };
  const { events, history, tasks } = parts;
  return {
    ...healthHandlers({ ...common, place, condition }),
    ...nameHandlers(parts),
    ...stopwatchHandlers({
      ...common,
      ...parts,
      onClockStep: ({ agentId, name }) => log.warn({ agent: agentId, stopwatch: name }, CLOCK_WARNING),
    }),
    ...eventHandlers(recording),
    ...hookHandlers({ ...recording, ...common, history }),
    ...statisticsHandlers({ ...common, history, events, tasks }),
    ...streamHandlers({ ...common, ...parts }, streams),
    ...transferHandlers({ ...common, ...parts }),
    ...traceHandlers({ ...common, ...parts }),
  };
}
