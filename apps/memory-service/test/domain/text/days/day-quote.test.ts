import { atOnce } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quoteOfDay, quoteOfTerms } from '../../../../src/domain/text/days/day-quote.ts';
import { dayMentionsInSteps } from '../../../../src/domain/text/days/named-days.ts';

/** A Sunday. */
const SAID = Date.UTC(2026, 10, 29, 12);
const mentions = (text: string) => atOnce(dayMentionsInSteps(text, SAID));
const iso = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const quote = (text: string, day: string) => {
  const { text: quoted, firstDay, lastDay } = quoteOfDay(text, mentions(text), Date.parse(day));
  return [quoted, iso(firstDay), iso(lastDay)];
};
const TALK = 'Nothing of this names a time, it only fills the page. '.repeat(8).trim();

describe('the words by which a text names a day', () => {
  test.each([
    ['Dentist tomorrow at 9.', '2026-11-30', '2026-11-30', '2026-11-30'],
    ['The fair is next week.', '2026-12-02', '2026-11-30', '2026-12-06'],
    ['Next week is full: the release is on Wednesday.', '2026-12-02', '2026-12-02', '2026-12-02'],
    ['Next week is full: the release is on Wednesday.', '2026-12-03', '2026-11-30', '2026-12-06'],
    ['Away from 28 November to 2 December.', '2026-11-28', '2026-11-28', '2026-12-02'],
    ['Away until Friday.', '2026-12-02', '2026-11-29', '2026-12-04'],
    ['Closed on 31 December and 1 January.', '2026-12-31', '2026-12-31', '2026-12-31'],
    ['We decided on Friday to use pnpm.', '2026-12-04', '2026-12-04', '2026-12-04'],
  ])('are all of a short one, with the time that they name: %s %s', (text, day, first, last) => {
    expect(quote(text, day)).toEqual([text, first, last]);
  });

  test('call a day off where all of them do that speak of it', () => {
    const isCalledOff = (text: string) => quoteOfDay(text, mentions(text), Date.parse('2026-12-04')).isCalledOff;
    expect(isCalledOff('No choir on Friday.')).toBe(true);
    expect(isCalledOff('No choir on Friday. On Friday we bake.')).toBe(false);
    expect(isCalledOff('No choir on Thursday.')).toBe(false);
  });

  test('are a sentence of a long one, behind how it begins', () => {
    const minutes = `Minutes of the board, taken by Ann. ${TALK} The audit is on 3 December. ${TALK}`;
    expect(quote(minutes, '2026-12-03')[0]).toBe('Minutes of the board, taken by Ann. … The audit is on 3 December.');
    expect(quote(`The audit is on 3 December. ${TALK}`, '2026-12-03')[0]).toBe('The audit is on 3 December.');
    const [long = ''] = quote(
      `Minutes ${'of the board and its guests '.repeat(6)}today. ${TALK} On 3 December.`,
      '2026-12-03',
    );
    expect(long).toBe('Minutes of the board and its guests of the board … On 3 December.');
  });

  test('are the same sentence wherever it stands in a long text', () => {
    const audit = 'Dr. Ito audits us on 3 December (two days), says Ann.';
    for (const times of [1, 2, 3, 40, 400]) {
      for (const cut of [0, 7, 53]) {
        const minutes = `Minutes of the board, taken by Ann. ${'!'.repeat(cut)} ${`${TALK} `.repeat(times)}${audit} ${TALK}`;
        expect(quote(minutes, '2026-12-03')[0]).toBe(`Minutes of the board, taken by Ann. … ${audit}`);
      }
    }
  });

  test('are of a sentence that is longer what stands around the day, with a mark where it goes on', () => {
    const words = (count: number) => 'and all of it goes on, '.repeat(count);
    const long = (before: number, behind: number) =>
      `We ${words(before)}meet from 28 November to 2 December ${words(behind)}ends.`;
    const of = (text: string) => quote(text, '2026-12-01')[0] as string;
    expect(of(long(3, 3))).toBe(long(3, 3));
    expect(of(long(0, 20))).toMatch(/^We meet from 28 November to 2 December and .{200,}…$/);
    expect(of(long(100, 0))).toMatch(/^We and .{30,42} … .{100,}meet from 28 November to 2 December ends\.$/);
    expect(of(`Dear all. ${long(100, 20)}`)).toMatch(/^Dear all\. … .+meet from 28 November to 2 December and .+…$/);
    expect(of(long(20, 20))).toMatch(/^….+meet from 28 November to 2 December and .+…$/);
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.nat(60),
        fc.constantFrom('', 'Dear all. ', 'x'.repeat(700)),
        (before, behind, begins) => {
          const text = `${begins}${long(before, behind)} ${TALK}`;
          const quoted = of(text);
          expect(quoted).toContain('from 28 November to 2 December');
          expect(quoted.length).toBeLessThanOrEqual(300 + 48 + ' … '.length + 2);
          for (const part of quoted.split('…')) expect(text).toContain(part.trim());
          expect(quoted.startsWith('…') || text.startsWith((quoted.split('…')[0] as string).trim())).toBe(true);
          expect(/[.…]$/.test(quoted)).toBe(true);
        },
      ),
    );
  });

  test('are a line of a list', () => {
    const rota = 'On-call rota:\n- 23 to 29 Nov: Luis\n- 30 Nov to 6 Dec: Tom';
    expect(quote(rota, '2026-12-01')).toEqual(['On-call rota: … - 30 Nov to 6 Dec: Tom', '2026-11-30', '2026-12-06']);
  });

  test('are those that name a month or each weekday', () => {
    const letter = `${TALK} Retro every Thursday. ${TALK} In January we move.`;
    expect(quoteOfTerms(letter, mentions(letter), ['every=4']).text).toMatch(/ … Retro every Thursday\.$/);
    expect(quoteOfTerms(letter, mentions(letter), ['in=2027-01']).text).toMatch(/ … In January we move\.$/);
    expect(quoteOfTerms(letter, mentions(letter), ['in=2027-02']).text).toMatch(/^Nothing of this/);
  });
});
