import { describe, expect, test } from '@jest/globals';
import { differ } from '../../../../src/domain/text/values/differ.ts';
import type { Value } from '../../../../src/domain/text/values/value.ts';
import { valuesOf } from '../../../../src/domain/text/values/values-of.ts';
import { wordsOf } from '../../../../src/domain/text/words.ts';

const read = (text: string) => valuesOf(wordsOf(text)).map(({ kind, value, unit }) => [kind, value, unit]);

describe('the values of a text', () => {
  test.each([
    ['It takes 90 seconds.', [['number', 90, 'time']]],
    ...['11/2027', 'November 2027', '2027-11', '2027/11'].map((month): [string, unknown[]] => [
      `It runs until ${month}.`,
      [
        ['date', '11-', ''],
        ['year', 2_027, ''],
      ],
    ]),
    ...['2/2027', '02/2027', '2027-02'].map((month): [string, unknown[]] => [
      `It runs until ${month}.`,
      [
        ['date', '2-', ''],
        ['year', 2_027, ''],
      ],
    ]),
    ['Help is there 24/7, for 1/2 of them, as RFC 13/2027 says.', []],
    ['It takes 1.5 min.', [['number', 90, 'time']]],
    ['It takes two hours.', [['number', 7_200, 'time']]],
    ['It takes half an hour.', [['number', 1_800, 'time']]],
    ['It needs a quarter of a pound.', [['number', 0.1134, 'weight']]],
    ['Half the visitors came.', []],
    ['Petrel 2.1 crashed on start.', [['version', '2.1', 'petrel']]],
    ['Costs 2.1 euros.', [['number', 2.1, 'euro']]],
    ['It waits 250ms.', [['number', 0.25, 'time']]],
    ['A retention of two weeks', [['number', 1_209_600, 'time']]],
    ['She is forty-two years old.', [['number', 504, 'months']]],
    ['The rent is 1,250 euros.', [['number', 1_250, 'euro']]],
    ['The rent is €1250.', [['number', 1_250, 'euro']]],
    ['It costs $3.50.', [['number', 3.5, 'dollar']]],
    ['A budget of £60k', [['number', 60_000, 'pound']]],
    ['It grew by 12 percent.', [['number', 12, 'share']]],
    ['It grew by 12%.', [['number', 12, 'share']]],
    ['A limit of 2 GB', [['number', 2e9, 'bytes']]],
    ['three thousand visitors came', [['number', 3_000, 'visitor']]],
    ['seven new members', [['number', 7, 'member']]],
    ['opens at 7:30', [['clock', 450, '']]],
    ['opens at 7:30 pm', [['clock', 1_170, '']]],
    ['opens at 8pm', [['clock', 1_200, '']]],
    ['closes at noon', [['clock', 720, '']]],
    ['closes at four pm', [['clock', 960, '']]],
    ['at half past seven p.m.', [['clock', 1_170, '']]],
    ['at ten sharp', [['clock', 600, '']]],
    ['starts at 10', [['clock', 600, '']]],
    ['due on 14/3', [['date', '3-14', '']]],
    ['due on 3/14', [['date', '3-14', '']]],
    ['gone after a week', [['number', 604_800, 'time']]],
    ['washed twice a week', [['number', 2 / 7, 'often']]],
    ['rebuilt nightly', [['number', 1, 'often']]],
    ['rebuilt every six hours', [['number', 4, 'often']]],
    ['rebuilt every other day', [['number', 1 / 2, 'often']]],
    ['rebuilt once', [['number', 1, '']]],
    ['every release', []],
    ['tries five times', [['number', 5, 'times']]],
    ['prod runs on Postgres 14', [['version', '14', 'postgr']]],
    ['the desk of Ann 14', [['number', 14, '']]],
    ['at half past nine', [['clock', 570, '']]],
    ['at quarter to ten', [['clock', 585, '']]],
    ['at quarter to noon', [['clock', 720, '']]],
    ['at half past ten in the evening', [['clock', 1_350, '']]],
    ['at nine in the morning', [['clock', 540, '']]],
    ['from four in the afternoon', [['clock', 960, '']]],
    ['at 9 in the evening', [['clock', 1_260, '']]],
    ['at twelve in the morning', [['clock', 0, '']]],
    ['at eleven at night', [['clock', 1_380, '']]],
    ['at two at night', [['clock', 120, '']]],
    ["at seven o'clock", [['clock', 420, '']]],
    ["at 7 o'clock in the evening", [['clock', 1_140, '']]],
    ['at midnight', [['clock', 0, '']]],
    ['standup is at nine', [['clock', 540, '']]],
    [
      'at nine from Monday',
      [
        ['clock', 540, ''],
        ['weekday', 'mon', ''],
      ],
    ],
    [
      'supper at six, two courses',
      [
        ['clock', 360, ''],
        ['number', 2, 'cours'],
      ],
    ],
    ['at nine sites', [['number', 9, 'site']]],
    ['at ten degrees', [['number', 10, 'temperature']]],
    ['stay at 9', [['number', 9, '']]],
    ['the limit of retries stays at five for now', [['number', 5, '']]],
    ['replicas are capped at three', [['number', 3, '']]],
    ['mind the limit. We meet at five', [['clock', 300, '']]],
    [
      'two in the morning and three at night',
      [
        ['number', 2, ''],
        ['number', 3, ''],
      ],
    ],
    ['come at once', [['number', 1, '']]],
    ['every Tuesday', [['weekday', 'tue', '']]],
    ['on 3 October', [['date', '10-3', '']]],
    ['on the 3rd of October', [['date', '10-3', '']]],
    ['on October 3', [['date', '10-3', '']]],
    ['on 2026-10-03', [['date', '10-3', '']]],
    ['in October', [['date', '10-', '']]],
    ['in 2024', [['year', 2_024, '']]],
    ['runs v2.4.1', [['version', '2.4.1', 'run']]],
    ['we are on Postgres 16.2', [['version', '16.2', 'postgr']]],
    ['INC-815 began', [['identifier', 'inc-815', 'inc-0']]],
    ['ticket 88213 is open', [['identifier', '88213', 'ticket']]],
    ['leaves from platform five', [['identifier', '5', 'platform']]],
    ['the room seven people share', [['number', 7, 'peopl']]],
    ['You may march on.', []],
    ['One of them is late.', []],
    ['nothing to count', []],
  ])('of %j are %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

test.each([
  ['at nine', 'at half past nine', true],
  ['at nine', 'at 9:00', false],
  ['at nine', 'at nine in the evening', false],
  ['half past nine', '21:30', false],
  ['at nine in the morning', 'at nine in the evening', true],
  ['9:00', '21:00', true],
  ['at twelve', 'at midnight', false],
  ['quarter to six', '17:45', false],
  ['in October', 'on 3 October', false],
  ['on 3 October', 'on 30 October', true],
  ['90 days', '3 months', false],
  ['90 days', 'one year', true],
  ['4 weeks', 'one month', false],
  ['v3.8.2', 'v3.8', false],
  ['v3.8.2', 'v3.81', true],
])('the times of %j and %j are different: %p', (a, b, expected) => {
  const [one, other] = [a, b].map((text) => valuesOf(wordsOf(text))[0] as Value) as [Value, Value];
  expect([differ(one, other), differ(other, one)]).toEqual([expected, expected]);
});
