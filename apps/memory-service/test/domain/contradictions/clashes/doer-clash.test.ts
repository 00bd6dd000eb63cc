import { describe, expect, test } from '@jest/globals';
import { judge } from '../../../../src/domain/contradictions/pairs/judge.ts';
import { statementPair } from '../../../../src/domain/contradictions/pairs/statement-pair.ts';
import { type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

/** The names that clash, where the model sees next to nothing; null where it is no finding. */
function clashOf(a: string, b: string): string | null {
  const [first, second] = [a, b].map((text, at) => statementsOf(text, { role: null, agentId: `agent-${at}` })[0]);
  const { score, clash } = judge(statementPair(first as Statement, second as Statement), 0.05);
  return score >= 0.6 ? `${clash.a.join(' ')} | ${clash.b.join(' ')}` : null;
}

describe('who does a thing', () => {
  test.each([
    ['Ann writes the newsletter.', 'The newsletter is written by Bob.', 'Ann | Bob'],
    ['Olga wrote the parser.', 'The parser was written by Hamid.', 'Olga | Hamid'],
    ['Nurse Park gives the flu shots.', 'The flu shots are given by Nurse Lee.', 'Nurse Park | Nurse Lee'],
    ['Lucas is baking the cake.', 'Rosa is the one who bakes the cake.', 'Lucas | Rosa'],
    ['Petra analyses the samples.', 'The samples are analysed by the blue team.', 'Petra | blue team'],
  ])('is somebody else: %j, %j', (a, b, names) => {
    expect(clashOf(a, b)).toBe(names);
    expect(clashOf(b, a)).toBe(names.split(' | ').reverse().join(' | '));
  });

  test.each([
    ['the same', 'Ann writes the newsletter.', 'The newsletter is written by Ann Bell.'],
    ['one of two, as far as is said', 'Ann prints the newsletter.', 'Bob prints the newsletter.'],
    ['of another thing', 'Ann writes the newsletter.', 'The report is written by Bob.'],
    ['who does something else with it', 'Ann writes the newsletter.', 'The newsletter is printed by Bob.'],
    ['one of many', 'Ann reviewed the paper.', 'The paper was reviewed by Bob.'],
    ['who did it before', 'Ann writes the newsletter.', 'The newsletter was written by Bob.'],
    ['nobody', 'Ann writes the newsletter.', 'The newsletter is written by hand.'],
    ['who does it at times', 'Rosa waters the plants.', 'The plants are watered by Emil while Rosa is away.'],
    ['of one of several', 'Ann paints a boat.', 'A boat is painted by Bob.'],
  ])('may be %s', (_, a, b) => {
    expect([clashOf(a, b), clashOf(b, a)]).toEqual([null, null]);
  });
});
