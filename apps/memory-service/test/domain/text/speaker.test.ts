import { describe, expect, test } from '@jest/globals';
import { speakerOf } from '../../../src/domain/text/speaker.ts';

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
});
