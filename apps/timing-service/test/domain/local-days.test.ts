import { describe, expect, test } from '@jest/globals';
import { Calendar, isTimeZone } from '../../src/domain/local-days.ts';

const at = (iso: string) => Date.parse(iso);
const daysOf = (zone: string, since: string, until: string) =>
  new Calendar(zone)
    .days(at(since), at(until))
    .map(({ date, sinceMs, untilMs }) => [date, new Date(sinceMs).toISOString(), (untilMs - sinceMs) / 3_600_000]);

describe('the days of a time zone', () => {
  test('have 23 and 25 hours where the clocks change, and parts at both ends', () => {
    // Berlin, by the IANA database: UTC+1, UTC+2 from 2026-03-29T01:00Z to 2026-10-25T01:00Z.
    expect(daysOf('Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T00:00:00Z')).toEqual([
      ['2026-03-28', '2026-03-28T12:00:00.000Z', 11],
      ['2026-03-29', '2026-03-28T23:00:00.000Z', 23],
      ['2026-03-30', '2026-03-29T22:00:00.000Z', 2],
    ]);
    expect(daysOf('Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toEqual([
      ['2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ]);
  });

  test('are whole where one has more hours than 25, or the clocks are put back over midnight', () => {
    // Casey goes back from UTC+11 to UTC+8 at 03:00 on 2020-03-08, Vostok from UTC+7 to UTC at midnight.
    expect(daysOf('Antarctica/Casey', '2020-03-07T13:00:00Z', '2020-03-09T16:00:00Z')).toEqual([
      ['2020-03-08', '2020-03-07T13:00:00.000Z', 27],
      ['2020-03-09', '2020-03-08T16:00:00.000Z', 24],
    ]);
    expect(daysOf('Antarctica/Vostok', '1994-01-30T17:00:00Z', '1994-02-01T01:00:00Z')).toEqual([
      ['1994-01-31', '1994-01-30T17:00:00.000Z', 31],
      ['1994-02-01', '1994-02-01T00:00:00.000Z', 1],
    ]);
    const last = new Calendar('Antarctica/Casey').startOfDays(at('2020-03-08T15:59:00Z'), 1);
    expect(new Date(last).toISOString()).toBe('2020-03-07T13:00:00.000Z');
    // St. John's goes back from UTC-2:30 to UTC-3:30 at 00:01 on 2010-11-07.
    expect(daysOf('America/St_Johns', '2010-11-06T02:30:00Z', '2010-11-09T03:30:00Z')).toEqual([
      ['2010-11-06', '2010-11-06T02:30:00.000Z', 24],
      ['2010-11-07', '2010-11-07T02:30:00.000Z', 25],
      ['2010-11-08', '2010-11-08T03:30:00.000Z', 24],
    ]);
  });

  test('are all there where the first part begins within the last two hours of its day', () => {
    expect(daysOf('UTC', '2026-11-22T23:30:00Z', '2026-11-24T12:00:00Z')).toEqual([
      ['2026-11-22', '2026-11-22T23:30:00.000Z', 0.5],
      ['2026-11-23', '2026-11-23T00:00:00.000Z', 24],
      ['2026-11-24', '2026-11-24T00:00:00.000Z', 12],
    ]);
    // Los Angeles is at UTC-7 on these days: the first part is 22:00 to midnight.
    expect(daysOf('America/Los_Angeles', '2026-10-22T05:00:00Z', '2026-10-23T08:00:00Z')).toEqual([
      ['2026-10-21', '2026-10-22T05:00:00.000Z', 2],
      ['2026-10-22', '2026-10-22T07:00:00.000Z', 24],
      ['2026-10-23', '2026-10-23T07:00:00.000Z', 1],
    ]);
  });

  test('begin later where there is no midnight, and one is left out where the date line moved', () => {
    // Cairo puts its clocks forward at midnight: 2026-04-24 begins at 01:00 (UTC+3). Apia had no 2011-12-30.
    expect(daysOf('Africa/Cairo', '2026-04-22T22:00:00Z', '2026-04-24T21:00:00Z')).toEqual([
      ['2026-04-23', '2026-04-22T22:00:00.000Z', 24],
      ['2026-04-24', '2026-04-23T22:00:00.000Z', 23],
    ]);
    expect(daysOf('Pacific/Apia', '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z').map(([date]) => date)).toEqual([
      '2011-12-29',
      '2011-12-31',
    ]);
  });

  test('are counted back from the one of an instant', () => {
    const berlin = new Calendar('Europe/Berlin');
    expect(new Date(berlin.startOfDays(at('2026-03-30T08:00:00Z'), 1)).toISOString()).toBe('2026-03-29T22:00:00.000Z');
    expect(new Date(berlin.startOfDays(at('2026-03-30T08:00:00Z'), 3)).toISOString()).toBe('2026-03-27T23:00:00.000Z');
    expect(new Date(berlin.startOfDays(at('2026-03-29T22:00:00Z'), 1)).toISOString()).toBe('2026-03-29T22:00:00.000Z');
  });

  test('are those of zones that there are', () => {
    expect(['UTC', 'Asia/Kathmandu', 'Mars', ''].map(isTimeZone)).toEqual([true, true, false, false]);
    expect(() => new Calendar('Mars')).toThrow(RangeError);
  });
});
