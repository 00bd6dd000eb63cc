import { expect, test } from '@jest/globals';
import { formOf } from '../../../../src/domain/recall/question/question-form.ts';

const noTime = { time: false, past: false, ahead: false };

test.each([
  ['What is the rate limit?', true],
  ['On which day do we deploy?', true],
  ['How many crates are missing?', true],
  ['How many days may one bring back what is bought now?', true],
  ['What was the rate limit?', false],
  ['What did we first charge?', false],
  ['What does a first consultation cost?', true],
  ['Where is the first consultation?', false],
  ['How long before a booster is due do we remind?', true],
  ['How much was it before the move?', false],
  ['Where is it that we met before?', false],
  ['Whom do I write to at Cadiz?', true],
  ['Whose approval does it need?', true],
  ['Do we still mow the churchyard?', true],
  ['Has Ivo answered yet?', true],
  ['Do we mow the churchyard?', false],
  ['Did we still mow the churchyard?', false],
  ['Why is the limit 60?', false],
  ['How many days are there between the two talks?', false],
  ['What happened to the limit?', false],
  ['Which limits are there, all of them?', false],
  ['The rate limit is 60', false],
  ['How late are we open?', true],
  ['How soon is it due?', true],
  ['Where do we order paper?', true],
  ['How do we deploy?', true],
  ['How do I deploy it?', false],
  ['In which order did they come?', false],
  ['Who asked for a logger?', false],
  ['Who found the leak?', false],
  ['What caused the leak?', false],
  ['What causes the leak?', true],
  ['Who asks for a logger?', true],
  ['Price of a ticket', true],
  ['How old is Dana?', true],
  ['What is the old limit?', false],
  ["Ann's deadline", true],
  ['code for the key safe?', true],
  ['the ferry to Gotland, which day', true],
  ['Did you ask for the price of a ticket?', false],
  ['How much goes into the savings each month?', true],
  ['How much goes into each pot?', false],
  ['Who offered a lift?', false],
  ['How long do we keep the data of people who left?', true],
  ['What broke, and who left?', false],
  ['Who led the workshop?', false],
  ['Who paid the deposit?', false],
  ['Who ran the stall?', false],
  ['Who is needed for the lift?', true],
  ['By what time must the order for Bob be in?', true],
  ['What was the order of the talks?', false],
  ['What is the order in which we sing?', false],
  ['In which order do we sing?', false],
  ['Ticket price', false],
  ['release day of the week', true],
  ['Price of all the tickets', false],
  ['Colour of a ticket', false],
  ['Is that the price of a ticket?', false],
  [`What is ${'very '.repeat(25)}long?`, false],
])('"%s" asks for a present value: %s', (text, asksPresent) => {
  expect(formOf(text, noTime).asksPresent).toBe(asksPresent);
  expect(formOf(text, { time: true, past: false, ahead: true }).asksPresent).toBe(asksPresent);
  expect(formOf(text, { time: true, past: true, ahead: false }).asksPresent).toBe(false);
});

test.each([
  ['CSV export row limit', true],
  ['monthly rent amount', true],
  ['release weekday', true],
  ['"rate limit" (partner API)', true],
  ['limit', false],
  ['Rate limits are 60', false],
  ['we moved the limit', false],
  ['Add a limit. Then test it', false],
  ['history of the rate limit', false],
  ['a b c d e f g h j k', true],
  ['a b c d e f g h j k l', false],
  ['What is the rate limit?', false],
  ['price of a ticket', false],
])('"%s" only names a thing: %s', (text, namesThing) => {
  expect(formOf(text, noTime).namesThing).toBe(namesThing);
  expect(formOf(text, { time: true, past: true, ahead: false }).namesThing).toBe(false);
});

test.each([
  ['Do we still mow the churchyard?', true],
  ['What do we still owe on the van?', true],
  ['Is the roof mended already?', true],
  ['Does nobody use the old door any more?', false],
  ['Did we still owe anything?', false],
  ['What do we owe on the van?', false],
])('"%s" asks if something is still so: %s', (text, asksStill) => {
  expect(formOf(text, noTime).asksStill).toBe(asksStill);
  expect(formOf(text, { time: true, past: true, ahead: false }).asksStill).toBe(false);
});

test.each([
  ['Where was Ann born?', true],
  ['Where was Ann before the war?', false],
  ['Who wrote the play?', true],
  ['How old is Ann?', false],
  ['Where was Ann first seen?', false],
  ['Why was it late?', false],
  ['How did it break?', false],
])('"%s" asks for one value of the past: %s', (text, asksPast) => {
  expect(formOf(text, noTime).asksPast).toBe(asksPast);
  expect(formOf(text, { time: true, past: true, ahead: false }).asksPast).toBe(false);
});

test.each([
  ['What broke, and who mended it?', true],
  ['When did it break and how often?', true],
  ['Why was it late; for how long did we wait?', true],
  ['The gate: what was wrong, when did it open?', true],
  ['What broke when it rained?', false],
  ['Who was there, and Ann?', false],
  ['Somewhere, whatever, anyhow', false],
  [`What is ${'so '.repeat(200)}long, and why?`, false],
])('"%s" asks for several things: %s', (text, asksSeveral) => {
  expect(formOf(text, noTime).asksSeveral).toBe(asksSeveral);
});

test.each([
  ['What books has Ann read?', true],
  ['In which three cities did they stay?', true],
  ['What are her plans?', true],
  ['What kind of tea is there?', true],
  ['What do both of them like?', true],
  ['How many games were won?', true],
  ['What is broken?', false],
  ['Which glass was broken?', false],
  ['Which watch does Jonas have?', false],
  ['What is my thesis about?', false],
  ['What were the reasons?', true],
  ['Who has the keys?', false],
  ['How many days, and what date was that?', false],
  [`${'so '.repeat(200)} how many?`, false],
])('"%s" asks for several things of a kind: %s', (text, asksList) => {
  expect(formOf(text, noTime).asksList).toBe(asksList);
});

test.each([
  ['When did it start?', true],
  ['And when is it?', true],
  ['Tell me when the release was', false],
  ['How long did it take?', true],
  ['What date is the release?', true],
  ['How many come back when you ask?', false],
  ['Who did it?', false],
])('"%s" asks when: %s', (text, asksWhen) => {
  expect(formOf(text, noTime).asksWhen).toBe(asksWhen);
});

test.each([
  ['Where was the key on 3 May?', true],
  ['Which gate was open last week?', true],
  ['Where is the key on 3 May?', false],
  ['What was said about the key on 3 May?', false],
  ['What did we do on 3 May?', false],
])('"%s" asks what was so in a time before now: %s', (text, asksState) => {
  expect(formOf(text, { time: true, past: true, ahead: false }).asksState).toBe(asksState);
  expect(formOf(text, noTime).asksState).toBe(false);
});

test('a question that names a time does not ask for a present value', () => {
  expect(formOf('What is the rate limit?', { time: true, past: false, ahead: false }).asksPresent).toBe(false);
});
