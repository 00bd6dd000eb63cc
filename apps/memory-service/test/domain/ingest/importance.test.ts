import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { importanceOf } from '../../../src/domain/ingest/importance.ts';
import type { Role } from '../../../src/domain/memory/memory.ts';
import { readNames } from '../../../src/domain/text/entities/entities.ts';

const of = (text: string, role: Role | null = 'user') =>
  importanceOf({
    text,
    role,
    entities: readNames(text)
      .by(null)
      .entities(() => false),
  });

describe('importance', () => {
  test.each([
    ['we decided to use PostgreSQL instead of MySQL.', 0.68], // 0.35 + 2 * 0.04 + 0.25
    ['remember: the deadline is 5 June.', 0.98], // 0.35 + 0.3 + 0.25 + 0.08
    ['I had some soup and it was warm.', 0.35],
    ['what did you eat?', 0.23], // 0.35 - 0.12
    ['my name is on the door, call me at 7.', 0.58], // 0.35 + 0.15 + 0.08
    ['Thanks, see you!', 0.1],
    ['\u{1F44D}\u{1F44D}', 0.1],
    ['昨天下雨了。', 0.35],
    ['你吃了吗？', 0.23],
  ])('of %j is %s', (text, expected) => {
    expect(of(text)).toBe(expected);
  });

  test('orders what matters before what does not', () => {
    const ordered = [
      'ok, sounds good!',
      'how was your day?',
      'the soup was warm.',
      'the soup at Luigi was warm.',
      'the build on db1.internal took 40 minutes.',
      'we decided that the auth-service never stores passwords.',
      'Important: we decided that the auth-service never stores passwords, see ABC-123.',
    ].map((text) => of(text));
    expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
    expect(new Set(ordered).size).toBe(ordered.length);
  });

  test('depends on who speaks', () => {
    expect((['assistant', 'user', 'system'] as const).map((role) => of('it rained.', role))).toEqual([0.3, 0.35, 0.4]);
    expect(of('it rained.', null)).toBe(0.3);
  });

  test('lies in 0..1 for any text', () => {
    const word = fc.constantFrom('must', 'remember', '5', 'Dana', 'my name', '?', '!', 'ok', 'never', ' ', '\u{1F600}');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (parts) => {
        const importance = of(parts.join(' '), 'system');
        expect(importance).toBeGreaterThanOrEqual(0);
        expect(importance).toBeLessThanOrEqual(1);
      }),
      { seed: 1 },
    );
  });
});
