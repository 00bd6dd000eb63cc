import { describe, expect, test } from '@jest/globals';
import type { components } from '../../../src/api.gen.ts';

type Entry = components['schemas']['AgendaEntry'];
interface ComingDays {
  comingDays(
    agenda: { days: { day: string; total: number; memories: Entry[] }[] },
    mostOf: (day: string) => number,
  ): { day: string; entries: Entry[]; left: number }[];
  noonOf(day: string): number;
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/overview/coming-days.js', import.meta.url).href;
const { comingDays, noonOf }: ComingDays = await import(FILE);

const entry = (id: string, day: string, more: Partial<Entry> = {}): Entry => ({
  id,
  text: id,
  first_day: day,
  last_day: day,
  recurring: false,
  called_off: false,
  agent_id: 'ann',
  name: null,
  role: null,
  source: 'assistant',
  scope: 'TEAM',
  project: null,
  created_at: '2026-11-20T10:00:00.000Z',
  ...more,
});
const fair = (day: string) => entry('fair', day, { first_day: '2026-11-23', last_day: '2026-11-29' });

describe('the coming days', () => {
  test('have what goes on for some days where it begins', () => {
    const days = [
      { day: '2026-11-24', total: 1, memories: [fair('2026-11-24')] },
      { day: '2026-11-25', total: 1, memories: [fair('2026-11-25')] },
      { day: '2026-11-26', total: 2, memories: [entry('talk', '2026-11-26'), fair('2026-11-26')] },
    ];
    const told = comingDays({ days }, () => 4).map(({ day, entries, left }) => [
      day,
      entries.map(({ id }) => id),
      left,
    ]);
    expect(told).toEqual([
      ['2026-11-24', ['fair'], 0],
      ['2026-11-26', ['talk'], 0],
    ]);
  });

  test('have what is on each day on the first of them, and again behind a pause', () => {
    const on = (day: string, recurring = true) => ({
      day,
      total: 1,
      memories: [entry('stand-up', day, { recurring })],
    });
    const days = [on('2026-11-26'), on('2026-11-27'), on('2026-11-30')];
    expect(comingDays({ days }, () => 4).map(({ day }) => day)).toEqual(['2026-11-26', '2026-11-30']);
    const named = [on('2026-11-26'), on('2026-11-27', false)];
    expect(comingDays({ days: named }, () => 4).map(({ day }) => day)).toEqual(['2026-11-26', '2026-11-27']);
  });

  test('have a memory again that names several days by themselves', () => {
    const days = ['2026-11-24', '2026-11-26'].map((day) => ({ day, total: 1, memories: [entry('plan', day)] }));
    expect(comingDays({ days }, () => 4).map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-26']);
  });

  test('have what was said again once', () => {
    const reminder = (id: string) => entry(id, '2026-11-25', { text: 'Retro every Wednesday.', recurring: true });
    const memories = [entry('talk', '2026-11-25'), reminder('newer'), reminder('older')];
    const [told] = comingDays({ days: [{ day: '2026-11-25', total: 3, memories }] }, () => 3);
    expect([told?.entries.map(({ id }) => id), told?.left]).toEqual([['talk', 'newer'], 0]);
  });

  test('have so many of a day, and say how many more there are', () => {
    const memories = ['a', 'b', 'c'].map((id) => entry(id, '2026-11-25'));
    const days = [{ day: '2026-11-25', total: 7, memories }];
    expect(comingDays({ days }, () => 2)).toEqual([{ day: '2026-11-25', entries: memories.slice(0, 2), left: 5 }]);
    expect(comingDays({ days: [] }, () => 2)).toEqual([]);
    expect(comingDays({ days }, () => Number.POSITIVE_INFINITY)).toEqual([
      { day: '2026-11-25', entries: memories, left: 4 },
    ]);
  });

  test('are days of the calendar where the reader is', () => {
    expect(new Date(noonOf('2026-03-01')).getDate()).toBe(1);
  });
});
