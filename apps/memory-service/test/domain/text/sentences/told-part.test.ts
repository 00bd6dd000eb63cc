import { expect, test } from '@jest/globals';
import { toldPart } from '../../../../src/domain/text/sentences/told-part.ts';

test.each([
  ['The standup moved to 10. Can everyone make it?', 'The standup moved to 10.'],
  ['The standup moved to 10, can you make it?', 'The standup moved to 10.'],
  ['The limit is 40 now so what do I change in the config?', 'The limit is 40 now.'],
  ['We use Helm 4 now – do we need to pin it?', 'We use Helm 4 now.'],
  [
    'Latency, which has grown to 40 ms, is too high, how do I lower it?',
    'Latency, which has grown to 40 ms, is too high.',
  ],
  ['Now that the fee is 155, how do we tell people?', 'Now that the fee is 155.'],
  ['How do we tell people now that the fee is 155?', 'the fee is 155.'],
  ['Can you remind Omar that the demo is on Friday?', 'the demo is on Friday.'],
  ['The boards go to print with 12 and 6.50. Annual pass still 39?', 'The boards go to print with 12 and 6.50.'],
  ['Der Preis ist jetzt 40. Kannst du das ändern?', 'Der Preis ist jetzt 40.'],
  ['The fee is 155.', 'The fee is 155.'],
])('of %j is %j', (text, told) => {
  expect(toldPart(text)).toBe(told);
});

test.each([
  'Cappuccino is 50 cents more?',
  'The pass is 12, the mug is 7?',
  'Is the fee 40, can you tell me?',
  "Isn't the fee 40 now, can you tell me?",
  'At 44 a month, is the gym worth it?',
  'How do I pay the new fee of 155?',
  'Do you know whether the fee is 155 now?',
  'The fee is 50 now, right?',
  "The fee is 50 now, isn't it?",
  'The fee is 50 now. Is that correct?',
  'I heard the fee is 155, is that still true?',
  'If the fee is 50, how many leave?',
  'We could raise the fee to 50, would that suit you?',
  'I wonder whether the fee is 50 now, can you check?',
])('there is none of what only asks: %j', (text) => {
  expect(toldPart(text)).toBe('');
});
