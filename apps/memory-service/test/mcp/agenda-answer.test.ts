import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { agendaAnswer, mostOfADay } from '../../src/mcp/agenda-answer.ts';

type Agenda = Parameters<typeof agendaAnswer>[0];
type Entry = Agenda['days'][number]['memories'][number];

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 10, 21);
const LONGEST = 20_000;
const iso = (instant: number) => new Date(instant).toISOString().slice(0, 10);

function entry(day: string, place: number, characters: number): Entry {
  return {
    id: `${day} ${place}`.padEnd(36, '-'),
    text: `Talk ${place} of ${day} `.padEnd(characters, 'x'),
    first_day: day,
    last_day: day,
    recurring: false,
    called_off: false,
    agent_id: 'ann',
    name: null,
    role: 'user',
    source: 'user',
    scope: 'TEAM',
    project: null,
    created_at: '2026-11-20T09:00:00.000Z',
  };
}

/** What the service answers where each day, and each month, has so many memories. */
function agenda(from: number, until: number, { each, characters }: { each: number; characters: number }): Agenda {
  const days = Array.from({ length: (until - from) / DAY_MS + 1 }, (_, place) => iso(from + place * DAY_MS));
  const most = mostOfADay({ days: days.length });
  const memories = (name: string) =>
    Array.from({ length: Math.min(each, most) }, (_, place) => entry(name, place, characters));
  return {
    time_zone: 'UTC',
    first_day: iso(from),
    last_day: iso(until),
    days: days.map((day) => ({ day, total: each, memories: memories(day) })),
    months: [...new Set(days.map((day) => day.slice(0, 7)))].map((month) => ({
      month,
      total: each,
      memories: memories(month),
    })),
  };
}

describe('the agenda as a model reads it', () => {
  test('leaves nothing off that fits', () => {
    const { text, data } = agendaAnswer(agenda(FIRST, FIRST + 6 * DAY_MS, { each: 2, characters: 60 }));
    expect(data).toMatchObject({ days: { length: 7 }, months: { length: 1 }, left_off: null });
    expect(text).not.toContain('Left off');
  });

  test('has of two busy months the first days, and says how to ask for the others', () => {
    const { text, data } = agendaAnswer(agenda(FIRST, FIRST + 61 * DAY_MS, { each: 14, characters: 300 }));
    const told = 'Left off, since it is long: 58 days from 2026-11-25 on, with 812 entries. ';
    expect(text.endsWith(`\n${told}Ask for from 2026-11-25 and to 2027-01-21.`)).toBe(true);
    expect(text).toContain('- and 4 more: ask for from 2026-11-22 and days 1');
    expect(data).toMatchObject({ days: { length: 4 }, months: [] });
  });

  test('has of a month that does not fit how to ask for it', () => {
    const [from, until] = [FIRST + 4 * DAY_MS, FIRST + 13 * DAY_MS];
    const full = agenda(from, until, { each: 3, characters: 200 });
    const { data } = agendaAnswer({
      ...full,
      months: agenda(from, until, { each: 9, characters: 240 }).months,
    });
    expect(data.left_off).toBe(
      'Left off, since it is long: 2026-12 as a whole, with 9 entries. Ask for from 2026-12-01 and days 1.',
    );
  });

  test('has each day once, in order, where the rest is asked for as it says, and no answer is longer than a context bears', () => {
    const shape = fc.record({ each: fc.integer({ min: 1, max: 40 }), characters: fc.integer({ min: 20, max: 340 }) });
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 62 }), (each, count) => {
        const until = FIRST + (count - 1) * DAY_MS;
        const days: string[] = [];
        const months = new Set<string>();
        for (let from: string | undefined = iso(FIRST); from !== undefined; ) {
          const { text, data } = agendaAnswer(agenda(Date.parse(from), until, each));
          days.push(...data.days.map(({ day }) => day));
          for (const { month } of data.months) months.add(month);
          const rest = /Ask for .*$/.exec(data.left_off ?? '')?.[0];
          for (const [, month = ''] of (data.left_off ?? '').matchAll(/(\d{4}-\d\d) as a whole/g)) months.add(month);
          expect(Math.max(text.length, JSON.stringify(data).length)).toBeLessThan(LONGEST + 500);
          from = rest === undefined ? undefined : /from (\S+) and to/.exec(rest)?.[1];
        }
        expect(days).toEqual(Array.from({ length: count }, (_, place) => iso(FIRST + place * DAY_MS)));
        expect([...months].sort()).toEqual([...new Set(days.map((day) => day.slice(0, 7)))]);
      }),
    );
  });

  test('says of one day that has more what finds those', () => {
    const { text, data } = agendaAnswer(agenda(FIRST, FIRST, { each: 40, characters: 60 }));
    expect(data.days[0]?.memories.length).toBe(30);
    expect(text).toContain('\n- and 10 more, which recall finds by what they are about');
  });
});
