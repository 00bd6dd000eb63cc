import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { splitIntoChunks } from '../../../src/domain/embedding/chunks.ts';

/** Four Latin characters, or one of another script, are about one wordpiece. */
const tokensOf = (text: string) => {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) tokens += text.charCodeAt(at) > 0x24f ? 1 : 0.25;
  return tokens;
};

describe('pieces for embedding', () => {
  test('a short message is one piece', () => {
    expect(splitIntoChunks('  We chose Redis. It is fast. ')).toEqual(['We chose Redis. It is fast.']);
  });

  test('are whole sentences, and begin with a short sentence that ended the piece before', () => {
    const sentences = [
      'The first sentence of this text has quite a lot of words.',
      'It is.',
      'The third sentence has a lot of words in it once more.',
    ];
    const [first, second, third] = sentences;
    expect(splitIntoChunks(sentences.join(' '), { tokensPerChunk: 20 })).toEqual([
      `${first} ${second}`,
      `${second} ${third}`,
    ]);
  });

  test('part long sentences at words, and scripts without blanks at characters', () => {
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`);
    const parts = splitIntoChunks(words.join(' '), { tokensPerChunk: 20 });
    expect(new Set(parts.join(' ').split(' '))).toEqual(new Set(words));
    const han = '缓存迁移到新的服务器'.repeat(30);
    expect(splitIntoChunks(han, { tokensPerChunk: 64 }).join('')).toBe(han);
  });

  test('are bounded in number, and then spread over the whole text', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `Sentence ${index} here.`)
      .join(' ')
      .slice(0, 200_000);
    const parts = splitIntoChunks(text);
    expect(parts).toHaveLength(64);
    const places = parts.map((part) => text.indexOf(part));
    expect(places[0]).toBe(0);
    expect(text.endsWith(parts.at(-1) ?? '')).toBe(true);
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(2 * (text.length / 64));
    expect(splitIntoChunks(text, { maxChunks: 1 })).toHaveLength(1);
  });

  test('hold every word of any text and never more than the limit', () => {
    const unit = fc.constantFrom('a', 'Bc', '. ', ' ', '\n', '缓', '\u{1F600}', 'e\u0301', '!', 'word ');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 600 }), (text) => {
        const parts = splitIntoChunks(text, { tokensPerChunk: 16, maxChunks: 10_000 });
        for (const part of parts) expect(tokensOf(part)).toBeLessThanOrEqual(16);
        let covered = 0;
        for (const part of parts) {
          const at = text.indexOf(part, Math.max(0, covered - 64));
          expect(text.slice(covered, Math.max(covered, at)).trim()).toBe('');
          covered = Math.max(covered, at + part.length);
        }
        expect(text.slice(covered).trim()).toBe('');
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
