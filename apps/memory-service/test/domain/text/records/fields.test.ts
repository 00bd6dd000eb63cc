import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { fieldsOf } from '../../../../src/domain/text/records/fields.ts';

// Keys are told as terms, which have no endings.
test.each([
  ['{"host": "db-3", "rack": "r2"}', ['', 'host', 'rack']],
  ['service: billing\n\n  port: 9000', ['', 'servic', 'port']],
  ['[auth] host = 10.1.1.6', ['', 'host']],
  ['- host: db-3\n- rack: r2', ['', 'host', 'rack']],
  ['tool=grep args=apps', ['', 'tool', 'arg']],
  // A section has no key.
  ['auth:\n  host: 10.1.1.6', ['', '', 'host']],
  ['db-3: ip=10.0.0.12 rack=r2', ['', '', 'ip', 'rack']],
  // No key, and prose behind a heading.
  ['label BUG -> engineering', []],
  ['Rent: it is 800', []],
])('the keys of %j are %j', (text, keys) => {
  expect(fieldsOf(text).map(({ key }) => [...key].join(' '))).toEqual(keys);
});

// Between turns, so that jest sees how long it takes.
test('a text of line breaks takes no time', async () => {
  for (let time = 0; time < 2_000; time++) {
    expect(fieldsOf(`a:${'\n'.repeat(990)}b`)).toEqual([]);
    expect(fieldsOf(`a:${'\n '.repeat(490)}b`)).toEqual([]);
    await setImmediate();
  }
}, 5_000);
