import { expect, test } from '@jest/globals';
import { roleAsked } from '../../../../src/domain/recall/question/asked-role.ts';

test.each([
  ['When does my lease end?', 'user'],
  ['What did I say about it?', 'user'],
  ['What did you recommend for my garden?', 'assistant'],
  ['Which of the plans you proposed was cheaper?', 'assistant'],
  ['Can you list my books?', 'user'],
  ['What did I say that I need?', 'user'],
  ['How long did I need for it?', 'user'],
  ['Remind me when my lease ends', 'user'],
  ['Tell me who keeps the key', null],
  ['How do I bleed a radiator?', null],
  ['Where can I borrow a tent?', null],
  ['I need to call the plumber. Which number is it?', null],
  ["I'm about to call the plumber. Which number is it?", null],
  ['Who keeps the key?', null],
  ['May I rename my variables on the way?', null],
  ['May I ask what I said about the budget?', 'user'],
  ['Should I add a test of the footer to my branch?', null],
  ['It is reviewed. Am I allowed to merge my own change?', null],
  ['Do I have to hand in my badge?', null],
  ['Is it okay if I bring my dog?', null],
  ['What should I bring to my exam?', 'user'],
  ['How should I answer my mails?', 'user'],
])('"%s" asks for the words of %s', (text, role) => {
  expect(roleAsked(text)).toBe(role);
});
