/** Whether changes arrive, and the banner while the service is away. */

import { drawAway } from '../shared/away-banner.js';
import { browserNowMs } from '../shared/clock.js';
import { byId, setText } from '../shared/dom.js';

const CONNECTION_TEXT = { connecting: 'Connecting', live: 'Live', polling: 'Every 5 s', offline: 'Offline' };
const CONNECTION_HINT = {
  connecting: 'Waiting for the stream of changes',
  live: 'Changes arrive as they happen',
  polling: 'The stream of changes is not available; the page asks every 5 seconds',
  offline: 'The service does not answer',
};

/** @param {import('../reading/controller.js').Controller} controller */
export function renderConnection({ connection, offlineSinceMs, store, problem }) {
  const state = byId('connection');
  state.dataset.state = connection;
  state.title = CONNECTION_HINT[connection];
  setText(state, CONNECTION_TEXT[connection]);
  const away = connection === 'offline' && offlineSinceMs !== null ? { problem, sinceMs: offlineSinceMs } : null;
  drawAway(byId('banner'), away, { nowMs: browserNowMs(), hasData: store.loaded });
}
