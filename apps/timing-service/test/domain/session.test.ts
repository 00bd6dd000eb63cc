import { expect, test } from '@jest/globals';
import { sessionOf } from '../../src/domain/session.ts';

test.each([
  [{ session: 's1', host: 'codex' }, 's1'],
  [{ session: '🤖'.repeat(256) }, '🤖'.repeat(256)],
  [{ session: '🤖'.repeat(257) }, null],
  [{ session: '' }, null],
  [{ session: 'a\u0000b' }, null],
  [{ session: ['s1'] }, null],
  [{ sessions: 's1' }, null],
  ['s1', null],
  [null, null],
])('the session of a task with the metadata %j is %j', (metadata, session) => {
  expect(sessionOf(metadata)).toBe(session);
});
