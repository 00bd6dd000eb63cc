import { expect, test } from '@jest/globals';
import { promisingPairs } from '../../../../src/domain/contradictions/pairs/promising-pairs.ts';
import { propertiesIn } from '../../../../src/domain/contradictions/statements/listed.ts';
import { statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

test.each([
  ['Staging: host db-2, port 5433, Postgres 15', ['Staging: port 5433', 'Staging: Postgres 15']],
  ['db-stage-2, port 5433, Postgres 15.', ['db-stage-2: port 5433', 'db-stage-2: Postgres 15']],
  ['Redis cache - 4 GB, no persistence', ['Redis cache: 4 GB', 'Redis cache: no persistence']],
  [
    'Ward B has 22 beds, two doctors, no window. Ward C is new.',
    ['Ward B: 22 beds', 'Ward B: two doctors', 'Ward B: no window'],
  ],
  // Several values of one kind, a label of no thing, a time or a place, another claim, a question, too few.
  ['Supported: Postgres 14, Postgres 15', []],
  ['To do: two invoices, 3 hours of tax', []],
  ['Tomorrow, 2 pm, two guests', []],
  ['Ward B, 22 beds, Ann owns it', []],
  ['Build box: 16 cores, two disks', ['Build box: 16 cores', 'Build box: two disks']],
  ['Ward B, 22 beds, two doctors?', []],
  ['Nam has diabetes, type 1', []],
  ['Kids menu: pasta, pizza, soup', []],
  ['The pool opens at 9, closed on Monday, 5 euros', []],
])('of %j these are properties: %j', (text, properties) => {
  expect(propertiesIn(text)).toEqual(properties);
});

function clashOf(a: string, b: string): string | null {
  const [first, second] = [a, b].map((text) => statementsOf(text, { role: null }));
  const found = promisingPairs(first ?? [], second ?? [], 0.7).find(({ pair }) => pair.isPlain);
  return found?.pair.clash?.reason ?? null;
}

test.each([
  ['Staging: host db-2, port 5433, Postgres 15', 'Staging runs Postgres 16.', 'version'],
  ['db-stage-2, port 5433, Postgres 15.', 'Staging runs Postgres 16.', 'version'],
  ['Build box: 16 cores, Node 20', 'The build box runs Node 22.', 'version'],
  ['Cabin: four beds, a wood stove', 'The cabin has six beds.', 'number'],
  ['Guest room: 18 square metres, no desk', 'The guest room has a desk.', 'negation'],
  ['db-prod-1, port 5433, Postgres 15.', 'Staging runs Postgres 16.', null],
  ['Cabin: four beds, a wood stove', 'The cabin has a sauna.', null],
  ['Mailer: 512 MB, Go 1.22', 'The mailer used 380 MB yesterday.', null],
])('%j against %j clashes plainly in a %s', (a, b, reason) => {
  expect([clashOf(a, b), clashOf(b, a)]).toEqual([reason, reason]);
});
