import {
  connectedMessage,
  type EventStream,
  type EventStreams,
  eventMessage,
  type Handlers,
} from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import { nextTurn } from '../domain/concurrency/next-turn.ts';
import { type Viewer, viewerOf } from '../domain/memory/visibility.ts';
import type { ChangeFeed } from '../domain/space/change-feed.ts';
import { changeView } from '../wire/change-view.ts';

export interface StreamDeps {
  readonly feed: ChangeFeed;
  readonly streams: EventStreams;
}

/** Server-sent events (HTML standard, section 9.2). */
export function streamHandlers({ feed, streams }: StreamDeps): Pick<Handlers<operations>, 'streamEvents'> {
  return {
    streamEvents: async ({ query, caller, req, res }) => {
      const lastId = req.get('Last-Event-ID') ?? query.last_event_id ?? null;
      const stream = streams.begin(req, res);
      if (stream) serve(feed, stream, { viewer: viewerOf(caller), lastId });
      return undefined;
    },
  };
}

/** Sends the events after a position, then each new one. A reader that has fallen behind the feed gets a `reset`. */
function serve(feed: ChangeFeed, stream: EventStream, { viewer, lastId }: { viewer: Viewer; lastId: string | null }) {
  let isBehind = false;
  let isSending = false;
  const sendOn = async (): Promise<void> => {
    isBehind = true;
    if (isSending) return;
    isSending = true;
    while (isBehind && !stream.isClosed) {
      // The changes of one turn go out together, after their answers.
      await nextTurn();
      isBehind = false;
      const batch = feed.after(position, viewer);
      if (batch === null) reset();
      else {
        position = batch.position;
        isBehind = position < feed.position;
        for (const event of batch.events) {
          stream.write(eventMessage(event.told.type, changeView(event), event.id));
        }
      }
      if (stream.needsDrain) await stream.drained();
    }
    isSending = false;
  };
  const reset = (): void => {
    position = feed.position;
    stream.write(eventMessage('reset', {}, feed.lastIdFor(viewer)));
  };
  stream.onClose(feed.subscribe(() => void sendOn()));
  const known = lastId === null ? feed.position : feed.positionOf(lastId, viewer);
  let position = known ?? feed.position;
  // The first message carries an id, so that a client which never saw an event can resume as well.
  if (known === null) reset();
  else stream.write(connectedMessage(lastId ?? feed.lastIdFor(viewer)));
  if (position < feed.position) void sendOn();
}
