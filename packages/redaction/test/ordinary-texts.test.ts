import { describe, expect, test } from '@jest/globals';
import { findSecrets } from '../src/index.ts';

const { ordinaryTexts } = await import(String(new URL('../../../bench/redaction/ordinary-texts.mjs', import.meta.url)));

describe('ordinary texts of engineers', () => {
  test('are taken for a secret in less than 1 of 1,000', () => {
    const texts: { kind: string; text: string }[] = ordinaryTexts({ seed: 3, count: 2_310 });
    const wrong = texts.filter(({ text }) => findSecrets(text).length > 0).map(({ kind }) => kind);
    expect(texts.length).toBeGreaterThanOrEqual(2_000);
    expect(wrong.length).toBeLessThan(texts.length / 1_000);
  });
});
