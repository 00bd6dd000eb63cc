import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutBefore, sentenceSpans } from '../../../../src/domain/text/sentences/sentences.ts';

const sentencesOf = (text: string, longest = 500) =>
  sentenceSpans(text, longest).map(({ start, end }) => text.slice(start, end));

describe('sentences', () => {
  test.each<[string, string[]]>([
    ['We moved. It works! Why? Fine', ['We moved.', 'It works!', 'Why?', 'Fine']],
    [
      'Use a cache, e.g. Redis, as Dr. J. Smith said. Done.',
      ['Use a cache, e.g. Redis, as Dr. J. Smith said.', 'Done.'],
    ],
    ['He said "no!" and left. "Really?" She nodded.', ['He said "no!" and left.', '"Really?"', 'She nodded.']],
    [
      'Version 2.3.1 is on example.com. Deploy it...  now?!',
      ['Version 2.3.1 is on example.com.', 'Deploy it...', 'now?!'],
    ],
    ['- first item\n- second item\n\nrest', ['- first item', '- second item', 'rest']],
    ['9. Tea.\n10. Rent a room. 11. Go.', ['9. Tea.', '10. Rent a room.', '11. Go.']],
    ['It was 7. Then 2026. Fine.', ['It was 7.', 'Then 2026.', 'Fine.']],
    ['我们用了缓存。为什么？因为很慢！', ['我们用了缓存。', '为什么？', '因为很慢！']],
    ['هل انتهى العمل؟ نعم انتهى.', ['هل انتهى العمل؟', 'نعم انتهى.']],
    ['यह ठीक है। धन्यवाद।', ['यह ठीक है।', 'धन्यवाद।']],
    ['... So what?', ['... So what?']],
    ['', []],
    [' \n\t ', []],
  ])('of %j are %j', (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected);
  });

  test('that are too long are cut at blanks', () => {
    const words = Array.from({ length: 100 }, (_, index) => `word${index}`);
    const parts = sentencesOf(words.join(' '), 64);
    expect(parts.join(' ').split(' ')).toEqual(words);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(64);
  });

  test('without a blank are cut between characters, never inside one', () => {
    const family = '\u{1F469}\u200D\u{1F467}'; // joined by a zero width joiner
    const accented = 'e\u0301';
    for (const cluster of ['\u{1F600}', family, accented]) {
      const parts = sentencesOf(cluster.repeat(100), 67);
      expect(parts.join('')).toBe(cluster.repeat(100));
      for (const part of parts) expect(part.length % cluster.length).toBe(0);
    }
  });

  test('cover all but the blanks of any text, in order and within the limit', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', '.', '!', ' ', '\n', '"', '。', '\u{1F600}', 'e.g.'),
      maxLength: 300,
    });
    fc.assert(
      fc.property(text, (one) => {
        const parts = sentencesOf(one, 64);
        expect(parts.join('').replace(/\s/g, '')).toBe(one.replace(/\s/g, ''));
        for (const part of parts) {
          expect(part).toBe(part.trim());
          expect(part.length).toBeGreaterThan(0);
          expect(part.length).toBeLessThanOrEqual(64);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('a cut never goes back to where it started', () => {
    const marks = `e${'\u0301'.repeat(1_000)}`;
    expect(cutBefore(marks, 0, 64)).toBe(64);
    expect(cutBefore('short', 0, 64)).toBe(5);
  });
});
