import type { FeedEvent } from '../domain/space/change-feed.ts';
import { changeView } from '../wire/change-view.ts';
import { formatInstant } from '../wire/instant.ts';

/** What is sent in one request: an event, or that events are missing. */
export interface Notice {
  /** The same for each try, by which a receiver knows a repeated one. */
  readonly id: string;
  /** JSON: `type`, `timestamp` and `data`, as Standard Webhooks recommends. */
  readonly body: string;
}

/** `data` is what the event stream sends. */
export function eventNotice({ id, at, told }: FeedEvent): Notice {
  return { id, body: bodyOf(told.type, at, changeView({ at, told })) };
}

/** Says that events are missing, and that everything is to be read anew. */
export function resetNotice(id: string, at: number): Notice {
  return { id, body: bodyOf('reset', at, {}) };
}

function bodyOf(type: string, at: number, data: object): string {
  return JSON.stringify({ type, timestamp: formatInstant(at), data });
}
