import { describe, expect, test } from '@jest/globals';
import { speakerOf, whoSaid } from '../../../../src/domain/text/speaker/speaker.ts';

describe('who said it', () => {
  test.each([
    [null, 'ann', 'ann'],
    ['ann', 'ann', 'ann'],
    ['Dana', 'ann', 'Dana (told by ann)'],
    ["Sinéad O'Brien-Łukasz 2", 'k8s/bot@eu', "Sinéad O'Brien-Łukasz 2 (told by k8s/bot@eu)"],
    ['猫 🚀', 'ann', '猫 🚀 (told by ann)'],
    ['Dana (PM): "I quit" <b>', 'ann', 'Dana PM I quit b (told by ann)'],
    ['\u202eDa\u{e0041}na\n', 'ann', 'Dana (told by ann)'],
    [':()', 'ann', 'ann'],
    [null, 'ops:bot', 'ops%3Abot'],
    [null, 'ops%3Abot', 'ops%253Abot'],
    [null, 'ann (told by bob)', 'ann %28told by bob%29'],
    [null, 'ann\u200b', 'ann%E2%80%8B'],
    [null, 'a  b', 'a %20b'],
  ])('of %p by %p is %p', (name, agentId, speaker) => {
    expect(speakerOf({ name, agentId })).toBe(speaker);
  });

  test.each([
    [{ name: null, source: 'user', kind: 'episodic' }, 'user (told by ann)'],
    [{ name: ':', source: 'user', kind: 'episodic' }, 'user (told by ann)'],
    [{ name: 'Dana', source: 'user', kind: 'episodic' }, 'Dana (told by ann)'],
    [{ name: 'ann', source: 'user', kind: 'episodic' }, 'ann'],
    [{ name: null, source: 'assistant', kind: 'episodic' }, 'ann'],
    [{ name: null, source: 'tool', kind: 'episodic' }, 'ann'],
    [{ name: null, source: 'user', kind: 'semantic' }, 'ann'],
  ] as const)('a reader of %p sees %p', (said, speaker) => {
    expect(whoSaid({ ...said, agentId: 'ann' })).toBe(speaker);
  });

  test('an agent that is called user speaks as itself', () => {
    expect(whoSaid({ name: null, agentId: 'user', source: 'user', kind: 'episodic' })).toBe('user');
  });
});
