import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import type { AskedValue } from '../../../../src/domain/recall/question/asked-value.ts';
import { readStatement } from '../../../../src/domain/recall/replacement/read-statement.ts';
import { overrules, verdictOf } from '../../../../src/domain/recall/replacement/verdict.ts';

const said = (content: string, day = 1, isQuestion = false) =>
  ({
    stored: { memory: { content, gist: content, kind: 'episodic' } },
    evidence: { words: content.split(/\s+/).length, isQuestion, createdAt: day },
  }) as unknown as Candidate;

const SLOTS = said('There are six emergency slots a day.', 1);
const PROPOSAL = said('Six are never used up. We could drop the last slot, or the last two.', 20);

/** Whether `text`, told right behind `proposal`, takes the place of `older` for a question about the number of `subject`. */
const replaces = (
  text: string,
  {
    older = SLOTS,
    proposal = PROPOSAL,
    alike = 0.4,
    asked = 'number' as AskedValue,
    subject = ['slot'],
    later = [] as string[],
  } = {},
) => {
  const newer = said(text, 20);
  const verdict = verdictOf(asked, newer, proposal);
  if (verdict === null) return false;
  const decided = {
    older,
    newer,
    proposal,
    verdict,
    later: later.map((one) => said(one, 21)),
    alike,
    told: readStatement(older.stored.memory.content),
  };
  return overrules(asked, new Set(subject), decided);
};

test.each([
  'Five, then.',
  "Let's do five.",
  '5.',
  'ok, do that, five from Monday',
  'I asked them both this morning: instead of that it is four, and nobody minds at all.',
  'Then let us go down to four for now and look at it again when the school is back.',
  'five instead of six, from June',
  'Not six, four.',
  'No, four is enough.',
  'No problem, five then.',
  'Keep five.',
  'Six is too many. Five.',
  'Five then 👍 :)',
  'Six was too many anyway, five then.',
  'Five. If the parents complain, tell me.',
  "I'll take five.",
])('takes the place of what was said before the proposal: %s', (text) => {
  expect(replaces(text)).toBe(true);
});

test.each([
  ['a question', 'Five, then?'],
  ['what is only considered', 'Maybe five, then.'],
  ['what is to be talked about', "Let's talk about five then."],
  ['what comes in addition', 'Five for the children, too.'],
  ['the same value', 'Six, then.'],
  ['no value', 'Yes, do that.'],
  ['a pronoun', 'That one, then.'],
  ['a report', '7 came early, 4 late, 3 by train and 9 sent others, then.'],
  ['what leaves it', 'Leave it, five are too few.'],
  ['what stays', 'We stay at six, not five.'],
  ['what is denied', 'Not five.'],
  ['what was', 'We had eight then, under Dr Weiss.'],
  ['a habit', 'I see five on Fridays.'],
  ['an estimate', 'Roughly five.'],
  ['a guess', 'Five, I guess.'],
  ['what is supposed', 'If it were up to me, four.'],
  ['what does not do', "Five won't do."],
  ['what is too few', 'Hm, five is too few.'],
  ['a joke', '50 then, haha.'],
  ['another thing told at length', 'My daughter turned nine on Sunday and we took her to the zoo.'],
])('leaves everything in its place: %s', (_, text) => {
  const reply = text.endsWith('?') ? said(text, 20, true) : said(text, 20);
  expect(verdictOf('number', reply, PROPOSAL) !== null && replaces(text)).toBe(false);
});

test('leaves everything in its place where it refuses what the proposal names', () => {
  const proposal = said('Six are never used up. We could go down to five slots.', 20);
  expect(replaces('No, five are too few.', { proposal })).toBe(false);
  expect(replaces('nope, five is risky', { proposal })).toBe(false);
  expect(replaces('No, four.', { proposal })).toBe(true);
  expect(replaces('Five is right.', { proposal })).toBe(true);
});

test.each([
  ['Forget it, we keep six.', false],
  ['On second thought six, not five.', false],
  ['Maybe six again.', true],
  ['Six were too many anyway.', true],
  ['We need six chairs.', true],
  ['Four, and six in winter.', true],
])('is taken back by what tells the older value again later in the thread: %s', (text, holds) => {
  expect(replaces('Five, then.', { later: ['That gets tight.', text] })).toBe(holds);
});

test('is about an older statement where the proposal is: said after it and alike', () => {
  expect(replaces('Five, then.', { alike: 0.39 })).toBe(false);
  expect(replaces('Five, then.', { older: said('There are six emergency slots a day.', 20) })).toBe(false);
  expect(replaces('Five, then.', { older: said('Are six slots enough?', 1, true) })).toBe(false);
});

test('takes the place of what it decides on by another value of the same unit alone', () => {
  const dose = said('Moss has 60 mg twice a day, the level was 19.', 20);
  const about = { older: dose, proposal: dose, alike: 1, subject: ['moss', 'dose'] };
  expect(replaces('level first. 75 from tonight', about)).toBe(true);
  expect(replaces('80 mg then', about)).toBe(true);
  expect(replaces('60 mg then, and 75 at night', about)).toBe(false);
  expect(replaces('I say it ten times a day then', about)).toBe(false);
  const freeze = said('The freeze is on Friday 3 July at noon.', 20);
  const when = { ...about, older: freeze, proposal: freeze, asked: 'date' as const, subject: ['freeze'] };
  expect(replaces('I press at 05:00 then', when)).toBe(false);
  expect(replaces('Monday then', when)).toBe(true);
});

test('where no value is asked for, a reply that settles the proposal takes the place of what was said before it', () => {
  const push = said('Push messages go through Pushwright.', 1);
  const who = { older: push, asked: 'other' as const, subject: ['deliver', 'push', 'message'] };
  expect(replaces('ok we talk to Apple and Google ourselves. go', who)).toBe(true);
  expect(replaces('yes, do that', who)).toBe(true);
  expect(replaces('So we do it ourselves', who)).toBe(true);
  expect(replaces('the second one please', who)).toBe(true);
  expect(replaces('they rang again', who)).toBe(false);
  expect(replaces('The others are dearer and further away.', who)).toBe(false);
  expect(replaces('The other day they rang.', who)).toBe(false);
  expect(replaces('So sorry to hear that.', who)).toBe(false);
  expect(replaces('We had others two years ago.', who)).toBe(false);
  expect(replaces('Do not do that', who)).toBe(false);
  expect(replaces('No.', who)).toBe(false);
  expect(replaces('No, the others are dearer.', who)).toBe(false);
  expect(replaces('then we stay with what we have', who)).toBe(false);
  expect(replaces('yes, do that', { ...who, older: PROPOSAL })).toBe(false);
});
