import { atOnce } from '@agent-faculties/service-kit';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import {
  claimsInSteps,
  LONGEST_CLAIM,
  proseInSteps,
  withoutSource,
} from '../../../../src/domain/contradictions/statements/claims.ts';
import { statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

const proseIn = (...about: Parameters<typeof proseInSteps>) => atOnce(proseInSteps(...about));
const claimsIn = (text: string) => atOnce(claimsInSteps(text));

describe('prose', () => {
  test('is what is left without code, tables, headings and marks', () => {
    const text = [
      '# Set-up',
      'I run the `worker` on **port 5000**:',
      '```python',
      'retries = 3',
      '```',
      '| name | size |',
      'const limit = 40;',
      "app.config['KEY'] = 'secret'",
      '**Database:**',
      '- The queue keeps messages for three days.',
      'We call fetch() once a minute.',
    ].join('\n');
    expect(proseIn(text, { lists: true })).toBe(
      'The queue keeps messages for three days.\nWe call fetch() once a minute.',
    );
  });

  test('is without items and labelled lines where lists are left out', () => {
    const text = '1. The limit is 40.\n- The limit is 50.\nError handling: the limit is 60.\nThe limit is 70.';
    expect(proseIn(text, { lists: false })).toBe('The limit is 70.');
  });

  test('of code that never ends is what stands before it', () => {
    expect(proseIn('The limit is 70.\n```\nThe limit is 80.', { lists: true })).toBe('The limit is 70.');
  });
});

describe('claims', () => {
  test('of a text of 100,000 lines are read in many short steps', () => {
    const text = 'The hall is red.\n'.repeat(100_000);
    const stepsOf = (steps: Iterator<void>) => {
      let count = 1;
      while (!steps.next().done) count++;
      return count;
    };
    expect(stepsOf(proseInSteps(text, { lists: true }))).toBeGreaterThan(20);
    expect(stepsOf(claimsInSteps(text))).toBeGreaterThan(20);
    expect(stepsOf(claimsInSteps('The hall is red.'))).toBe(1);
  });

  test.each([
    ['Paul lives in Rome. Anna lives in Bonn.', ['Paul lives in Rome.', 'Anna lives in Bonn.']],
    ["I've never met Rosa, can you draft a letter to her?", ["I've never met Rosa"]],
    ["I've never met Rosa, so how do I greet her", ["I've never met Rosa"]],
    ['The pool is full, and explain why it is not heated.', ['The pool is full']],
    ['Is the pool open? It opens at nine.', ['Is the pool open? It opens at nine.']],
    [
      'Handover from the old squad: the coupon job has no owner, the owner of the invoice job is Piotr, and the tax job goes away.',
      [
        'Handover from the old squad: the coupon job has no owner',
        'the owner of the invoice job is Piotr',
        'the tax job goes away.',
      ],
    ],
    ['The red, white and blue flags are in the shed.', ['The red, white and blue flags are in the shed.']],
    ['For the record, the gate is closed.', ['For the record, the gate is closed.']],
    ['Rosa owns the shop; she opens it at six.', ['Rosa owns the shop', 'Rosa owns the shop she opens it at six.']],
  ])('of %j are %j', (text, claims) => {
    expect(claimsIn(text)).toEqual(claims);
  });

  test.each(['x, ', 'but ', 'e.g. : '])(
    'of a sentence of many parts %j are found by looking at each part a few times',
    (part) => {
      const text = part.repeat(400);
      const looked = jest.spyOn(RegExp.prototype, 'test');
      claimsIn(text);
      const characters = looked.mock.calls.reduce((sum, [seen]) => sum + seen.length, 0);
      looked.mockRestore();
      expect(characters).toBeLessThan(10 * text.length);
    },
  );

  test('of any text are no longer than two lines of the pair model', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (strange) => {
        for (const claim of claimsIn(strange)) expect(claim.length).toBeLessThanOrEqual(LONGEST_CLAIM);
      }),
    );
  });
});

describe('who a statement comes from', () => {
  test.each([
    ['Decided with Milo: the display gets a table.', 'The display gets a table.'],
    ['Talked briefly to the night watch: the gate sticks.', 'The gate sticks.'],
    ['The depot is haunted, says Milo.', 'The depot is haunted.'],
    ['The depot is haunted, according to Milo Brandt', 'The depot is haunted'],
    ['When is the depot open? asks Milo', 'When is the depot open?'],
    ['“When is the depot open?”, asked Milo Brandt.', '“When is the depot open?”'],
    // What follows speaks of that person, or the verb does.
    ['Agreed with Bea: she paints the hall.', 'Agreed with Bea: she paints the hall.'],
    ['Talked to Bea: it leaks.', 'Talked to Bea: it leaks.'],
    ['Agreed with Bea: Oak Hill gets a pump.', 'Oak Hill gets a pump.'],
    ["Decided with Bea: we're out of cork.", "We're out of cork."],
    ['Talked to Bea: has 2 tickets.', 'Talked to Bea: has 2 tickets.'],
    ['Talked to Bea: never has time.', 'Talked to Bea: never has time.'],
    ['Talked to Bea: free on Friday.', 'Talked to Bea: free on Friday.'],
    ['Talked to Bea about the pump: works.', 'Talked to Bea about the pump: works.'],
    ['Bea said that she paints the hall.', 'Bea said that she paints the hall.'],
    ['Coffee with Bea: the hall is painted.', 'Coffee with Bea: the hall is painted.'],
    ['The hall is white, says the plan of 2019, or grey.', 'The hall is white, says the plan of 2019, or grey.'],
  ])('%j says %j', (text, said) => {
    expect(withoutSource(text)).toBe(said);
    expect(statementsOf(text, { role: null })[0]?.text).toBe(said);
  });
});

describe('statements', () => {
  const filler = 'The river was high and the road was closed for most of the day. '.repeat(5);
  const extents = (text: string, role: string) =>
    statementsOf(text, { role }).map(({ extent, text: said }) => [extent, said]);

  test('of a short message are the whole and its claims', () => {
    expect(extents('Paul lives in Rome. Anna lives in Bonn.', 'user')).toEqual([
      ['whole', 'Paul lives in Rome. Anna lives in Bonn.'],
      ['part', 'Paul lives in Rome.'],
      ['part', 'Anna lives in Bonn.'],
    ]);
  });

  test('of a long message are claims with a subject, and no orders', () => {
    const said = extents(`${filler}\nUse a queue here.\nThe limit is 40.`, 'user').map(([, text]) => text);
    expect(said).toContain('The limit is 40.');
    expect(said).not.toContain('Use a queue here.');
  });

  test("of an assistant's long answer are those that neither address the reader nor stand in a list", () => {
    const answer = extents(`${filler}\nYour limit is 40.\n- The limit is 50.\nThe limit is 60.`, 'assistant');
    expect(answer.filter(([, text]) => text?.includes('limit'))).toEqual([['part of answer', 'The limit is 60.']]);
  });
});
