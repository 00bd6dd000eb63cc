import { describe, expect, test } from '@jest/globals';
import { type Circumstance, fitsCircumstance } from '../../../../src/domain/recall/question/circumstance.ts';
import { readQuestion } from '../../../../src/domain/recall/question/question.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

const NOW = Date.UTC(2026, 10, 23, 15);
const KEYS = new Set(['ann', 'ops', 'code-bot']);
const keyOf = (word: string) => (KEYS.has(word.toLowerCase()) ? word.toLowerCase() : null);
const speakers = { ...NO_SPEAKERS, find: keyOf, findAgent: keyOf };
const read = (text: string) => readQuestion(text, { speakers, now: NOW });

describe('a question without a subject', () => {
  test.each([
    ['What happened yesterday?', '2026-11-22', '2026-11-23', null, null],
    ['what did we do last week', '2026-11-16', '2026-11-23', null, null],
    ["What's the news of last week?", '2026-11-16', '2026-11-23', null, null],
    ['Summarize last week.', '2026-11-16', '2026-11-23', null, null],
    ['What happened since 20 November?', '2026-11-20', null, null, null],
    ['What did you tell me yesterday?', '2026-11-22', '2026-11-23', null, 'assistant'],
    ['What did the ops agent do last week?', '2026-11-16', '2026-11-23', 'ops', null],
    ['What happened last weekend?', '2026-11-21', '2026-11-23', null, null],
    ['What happened last quarter?', '2026-07-01', '2026-10-01', null, null],
    ['What did we do in the first half of the year?', '2026-01-01', '2026-07-01', null, null],
    ['What happened last Christmas?', '2025-12-25', '2025-12-26', null, null],
    ['What changed yesterday?', '2026-11-22', '2026-11-23', null, null],
    ['What did ops say in October?', '2026-10-01', '2026-11-01', 'ops', null],
    ['What did code-bot report on 2026-11-03?', '2026-11-03', '2026-11-04', 'code-bot', null],
    ['What did Ann say?', null, null, 'ann', null],
    ['What did Ann announce?', null, null, 'ann', null],
    ['Who said what yesterday?', '2026-11-22', '2026-11-23', null, null],
    ['What did Ann decide last week?', '2026-11-16', '2026-11-23', 'ann', null],
    ['What was decided on Thursday?', '2026-11-19', '2026-11-20', null, null],
    ['What was decided last week?', '2026-11-16', '2026-11-23', null, null],
    ['What did we agree on yesterday?', '2026-11-22', '2026-11-23', null, null],
    ['What did ops report in the first half of November?', '2026-11-01', '2026-11-16', 'ops', null],
    ['What was going on in mid November?', '2026-11-11', '2026-11-21', null, null],
    ['What happened in the past 48 hours?', '2026-11-21', '2026-11-24', null, null],
    ["What's new since Friday?", '2026-11-20', null, null, null],
    ['Is there anything new today?', '2026-11-23', '2026-11-24', null, null],
    ['What is new this week?', '2026-11-23', '2026-11-30', null, null],
    ['What is the news of this week?', '2026-11-23', '2026-11-30', null, null],
  ])('"%s" asks for a time, or for a speaker', (text, from, until, speaker, saidBy) => {
    const { circumstance, speaker: named } = read(text);
    expect(named).toBe(speaker);
    expect(circumstance).toMatchObject({
      from: from === null ? Number.NEGATIVE_INFINITY : Date.parse(from),
      until: until === null ? Number.POSITIVE_INFINITY : Date.parse(until),
      isAhead: false,
      isOfSpeaker: speaker !== null,
      saidBy,
    });
  });

  test.each([
    ['I was ill last week. What happened on 20 November? I have to catch up.', '2026-11-20', false],
    ['Ann is ill since yesterday. What is on tomorrow? I can work late.', '2026-11-24', true],
    ['I have to write to Bob today. What did Ann say on 20 November? It was long.', '2026-11-20', false],
  ])('in a message that tells something too asks for its time: "%s"', (text, from, isAhead) => {
    const { circumstance, speaker } = read(text);
    expect(circumstance).toMatchObject({ from: Date.parse(from), isAhead, isBeside: true, saidBy: null });
    expect(speaker).toBe(text.includes('Ann say') ? 'ann' : null);
  });

  test.each([
    ['What did ops say in October?', true],
    ['What did Ann tell us yesterday?', true],
    ['What did the ops agent do last week?', false],
    ['What did we talk about yesterday?', false],
  ])('"%s" asks for the words of a speaker: %s', (text, isOfTalk) => {
    expect(read(text).circumstance).toMatchObject({ isOfTalk });
  });

  test.each([
    ['What is on tomorrow?', '2026-11-24', '2026-11-25'],
    ['what do I have on Friday', '2026-11-27', '2026-11-28'],
    ['What do I have to do today?', '2026-11-23', '2026-11-24'],
    ['Anything planned for next week?', '2026-11-30', '2026-12-07'],
    ['Which deadlines are in December?', '2026-12-01', '2027-01-01'],
    ['Any meetings on the 12th?', '2026-12-12', '2026-12-13'],
    ['What does the weekend look like?', '2026-11-28', '2026-11-30'],
    ['What is left for the rest of this week?', '2026-11-23', '2026-11-30'],
    ['Am I free on Friday?', '2026-11-27', '2026-11-28'],
    ['Do I have a meeting on Friday?', '2026-11-27', '2026-11-28'],
    ['Have I got anything on Friday?', '2026-11-27', '2026-11-28'],
    ['What do I need to finish this week?', '2026-11-23', '2026-11-30'],
    ['Which tasks do I have left this week?', '2026-11-23', '2026-11-30'],
    ['Show me my calendar for Friday', '2026-11-27', '2026-11-28'],
    ['What is due by Friday?', '2026-11-23', '2026-11-28'],
    ['What is coming up?', '2026-11-23', '2026-12-24'],
    ['What is on later this week?', '2026-11-23', '2026-11-30'],
    ['What is left for the rest of the quarter?', '2026-11-23', '2027-01-01'],
    ['What is due before Christmas?', '2026-11-23', '2026-12-26'],
    ["Any plans for New Year's Eve?", '2026-12-31', '2027-01-01'],
    ['What is on on the first Monday of December?', '2026-12-07', '2026-12-08'],
    ['What did we plan for Friday?', '2026-11-27', '2026-11-28'],
    ['Which day am I free next week?', '2026-11-30', '2026-12-07'],
    ['our agenda for the week after next', '2026-12-07', '2026-12-14'],
  ])('"%s" asks for what lies ahead', (text, from, until) => {
    expect(read(text).circumstance).toMatchObject({
      isAhead: true,
      from: Date.parse(from),
      until: Date.parse(until),
    });
  });

  test.each([
    'What is due for the release on Friday?',
    'Who is on call tomorrow?',
    'What does Ann do on Friday?',
    'What is on after Friday?',
    'When are we free next week?',
    'I am free on Friday.',
    'What is next?',
    'What day is tomorrow?',
    "What's the date on Friday?",
    'Which day of the week is it tomorrow?',
    'What is planned for next year?',
    'What happens if the week ends on Sunday?',
    `What is on ${'so '.repeat(60)}tomorrow?`,
  ])('"%s" asks for more, or for less', (text) => {
    expect(read(text).circumstance).toBeNull();
  });

  test.each([
    'What happened to the budget yesterday?',
    'What did we decide last month?',
    'What was decided for Thursday?',
    'What did Ann decide?',
    'Who worked yesterday?',
    'Who went on 3 November?',
    'What did Ann suggest for yesterday?',
    'What happened?',
    'How are you today?',
    'I worked yesterday.',
    'Who is Ann?',
    'What was ops?',
    'What happened before Monday?',
    'When did Ann say that yesterday?',
    'What did Ann say to Ops?',
    'What did Zoe say in October?',
    'What happened to the first version in October?',
    'Is the new one in use today?',
    `What happened ${'so '.repeat(60)}yesterday?`,
  ])('"%s" is none', (text) => {
    expect(read(text).circumstance).toBeNull();
  });

  test('names an agent by a bare id in no other question, unless the id has the place of a speaker', () => {
    expect(read('What fell on ops in October?').speaker).toBeNull();
    expect(read('What was ops?').speaker).toBeNull();
    expect(read('What did ops say about the disk in October?')).toMatchObject({ speaker: 'ops', circumstance: null });
  });
});

describe('a memory', () => {
  const asked: Circumstance = {
    from: 10,
    until: 20,
    ofAnyYear: false,
    isAhead: false,
    isOfSpeaker: false,
    isOfTalk: false,
    saidBy: null,
    isBeside: false,
  };
  const said = { createdAt: 15, namesDay: false, role: null, isOfUser: false, speaker: 0 } as const;

  test('fits the time in which it was said, tells of none to come, and may tell of one that is past', () => {
    const at = (createdAt: number) => fitsCircumstance(asked, { ...said, createdAt });
    expect([9, 10, 19, 20].map(at)).toEqual([false, true, true, null]);
  });

  test('fits a time ahead where it names a day of it, whenever it was said', () => {
    const ahead = { ...asked, isAhead: true };
    expect(fitsCircumstance(ahead, { ...said, createdAt: 1, namesDay: true })).toBe(true);
    expect(fitsCircumstance(ahead, { ...said, createdAt: 15 })).toBe(false);
  });

  test('of another time may be about what the message tells that asks', () => {
    const beside = { ...asked, isBeside: true };
    const at = (createdAt: number) => fitsCircumstance(beside, { ...said, createdAt });
    expect([9, 10, 19, 20].map(at)).toEqual([null, true, true, null]);
    const ahead = { ...beside, isAhead: true };
    expect([true, false].map((namesDay) => fitsCircumstance(ahead, { ...said, namesDay }))).toEqual([true, null]);
  });

  test('that names the time fits it where it was said later, and may tell of it where it was said before', () => {
    const at = (createdAt: number) => fitsCircumstance(asked, { ...said, createdAt, namesDay: true });
    expect([9, 15, 20].map(at)).toEqual([null, true, true]);
    const words = { ...asked, isOfSpeaker: true, isOfTalk: true };
    expect(fitsCircumstance(words, { ...said, speaker: 1, createdAt: 9, namesDay: true })).toBe(false);
  });

  test('tells nothing of what a speaker said before', () => {
    const at = (createdAt: number) =>
      fitsCircumstance({ ...asked, isOfSpeaker: true, isOfTalk: true }, { ...said, speaker: 1, createdAt });
    expect([9, 10, 19, 20].map(at)).toEqual([false, true, true, false]);
  });

  test('may tell of the same month of another year', () => {
    const june = { ...asked, from: Date.UTC(2026, 5), until: Date.UTC(2026, 6), ofAnyYear: true };
    const at = (year: number, month: number) =>
      fitsCircumstance(june, { ...said, createdAt: Date.UTC(year, month, 9) });
    expect([at(2026, 5), at(2025, 5), at(2025, 4), at(2026, 4)]).toEqual([true, null, false, false]);
    const ofTheYear = { ...june, ofAnyYear: false };
    expect(fitsCircumstance(ofTheYear, { ...said, createdAt: Date.UTC(2025, 5, 9) })).toBe(false);
  });

  test.each([
    [1, true],
    [0, false],
    [-1, false],
  ] as const)('that is of the speaker by %d fits: %s', (speaker, fits) => {
    expect(fitsCircumstance({ ...asked, isOfSpeaker: true }, { ...said, speaker })).toBe(fits);
  });

  test.each([
    ['user', true],
    [null, true],
    ['assistant', false],
    ['system', false],
  ] as const)('of %s is one of the user: %s', (role, fits) => {
    expect(fitsCircumstance({ ...asked, saidBy: 'user' }, { ...said, role })).toBe(fits);
    expect(fitsCircumstance({ ...asked, saidBy: 'user' }, { ...said, role, isOfUser: true })).toBe(true);
  });
});
