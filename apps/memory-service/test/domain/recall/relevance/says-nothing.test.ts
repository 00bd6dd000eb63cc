import { describe, expect, test } from '@jest/globals';
import type { Candidate, Evidence } from '../../../../src/domain/recall/evidence/evidence.ts';
import { saysNothing, seeksNothing } from '../../../../src/domain/recall/relevance/says-nothing.ts';

function memory(content: string, evidence: Partial<Evidence> = {}) {
  const words = content.split(' ').length;
  return {
    evidence: { turn: 0, askedBeforeWords: 0, words, ...evidence },
    stored: { memory: { content } },
  } as Candidate;
}

describe('a memory that says nothing', () => {
  test.each(['ok', 'OK', 'a', 'yes', 'yes please', 'No, thanks.', 'Thanks!', 'do it', '1'])('is %j', (content) => {
    expect(saysNothing(memory(content))).toBe(true);
  });

  test.each(['go on', 'Thanks, go on!', 'Continue please', 'keep going', 'OK, go ahead.', 'next'])(
    'is %j, which only tells an agent to go on',
    (content) => {
      expect(saysNothing(memory(content))).toBe(true);
    },
  );

  test.each(['Done.', 'Understood, thanks', 'LGTM'])('is %j, which only answers', (content) => {
    expect(saysNothing(memory(content))).toBe(true);
  });

  test.each(['go live', 'keep Redis', 'Continue with Kiel'])('is not %j', (content) => {
    expect(saysNothing(memory(content))).toBe(false);
  });

  test.each(['Postgres', 'Dana', 'build-7', 'WHO certified', '🌅', 'yes, on the blue line'])('is not %j', (content) => {
    expect(saysNothing(memory(content))).toBe(false);
  });

  test('says something after a question, and with a word of what is asked', () => {
    expect(saysNothing(memory('yes', { askedBeforeWords: 4, isQuestion: false }))).toBe(false);
    expect(saysNothing(memory('since when?', { askedBeforeWords: 4, isQuestion: true }))).toBe(true);
    expect(saysNothing(memory('1', { turn: 0.8 }))).toBe(false);
  });
});

describe('a prompt', () => {
  test.each(['continue', 'yes please', 'ok, go ahead', 'Done.', '1'])('seeks nothing by %j', (prompt) => {
    expect(seeksNothing(prompt)).toBe(true);
  });

  test.each(['What did we do today?', 'what is it', 'last week', 'today', 'deploy', 'continue with Kiel', '', '🌅'])(
    'may seek something by %j',
    (prompt) => {
      expect(seeksNothing(prompt)).toBe(false);
    },
  );
});
