import { describe, expect, test } from '@jest/globals';
import { readQuestion } from '../../../../src/domain/recall/question/question.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

const NAMES: Readonly<Record<string, string>> = {
  caroline: 'caroline',
  mel: 'mel',
  will: 'will',
  planner: 'planner',
  'code-bot': 'code-bot',
};
const AGENTS: Readonly<Record<string, string>> = { planner: 'planner', 'code-bot': 'code-bot', 'code bot': 'code-bot' };
const TELLERS: Readonly<Record<string, string>> = { data: 'data', planner: 'planner' };
const PARTS: Readonly<Record<string, string>> = { bot: 'code-bot', planner: 'planner' };
const speakers = {
  find: (word: string) => NAMES[word.toLowerCase()] ?? null,
  findAgent: (words: string) => AGENTS[words.toLowerCase()] ?? null,
  hasOneCalled: () => false,
  findAgentByPart: (word: string) => PARTS[word.toLowerCase()] ?? null,
  findTeller: (word: string) => TELLERS[word.toLowerCase()] ?? null,
};
const read = (text: string) => readQuestion(text, { speakers, now: 0 });

describe('a question', () => {
  test.each([
    ["What is Caroline's favourite book?", 'What is my favourite book?', 'caroline'],
    ['Where did Caroline take her dog after she came home?', 'Where did I take my dog after I came home?', 'caroline'],
    ['what did caroline buy', 'what did I buy', 'caroline'],
    ['Did Caroline meet Mel?', 'Did I meet I?', null],
    ['When will Caroline come?', 'When will I come?', 'caroline'],
    ['when will the tests run', 'when will the tests run', null],
    ['What did Code-Bot say?', 'What did I say?', 'code-bot'],
    ['What did code-bot say about the tests?', 'What did I say about the tests?', 'code-bot'],
    ['What did data say about the tests?', 'What did I say about the tests?', 'data'],
    ['Which tests did Data report?', 'Which tests did I report?', 'data'],
    ['Where is the Data of the tests?', 'Where is the Data of the tests?', null],
    ['Which tests did the planner want?', 'Which tests did I want?', 'planner'],
    ["What was the planner's reason?", 'What was my reason?', 'planner'],
    ['Why was the code bot against it?', 'Why was I against it?', 'code-bot'],
    ['What did the bot find?', 'What did I find?', 'code-bot'],
    ['Who switched off the bot?', 'Who switched off the bot?', null],
    ['Which planner app do we use?', 'Which planner app do we use?', null],
    ['What did planner say about Paris?', 'What did I say about Paris?', 'planner'],
    ['What has caroline bought in Paris?', 'What has I bought in Paris?', 'caroline'],
    ['What should planner notes hold in Paris?', 'What should planner notes hold in Paris?', null],
    ["planner's reason for PR 4", 'my reason for PR 4', 'planner'],
    ["The planners' reason for PR 4", "The planners' reason for PR 4", null],
    ['When planner said no to PR 4', 'When I said no to PR 4', 'planner'],
    ['Which planner saids are in PR 4?', 'Which planner saids are in PR 4?', null],
    ['Did the planner answer Mel?', 'Did I answer I?', null],
    ['Her dog is ill', 'Her dog is ill', null],
    ['The planners met Carolines', 'The planners met Carolines', null],
  ])('"%s" is embedded as "%s"', (text, denseText, speaker) => {
    expect(read(text)).toMatchObject({ text, denseText, speaker });
  });

  test('about what is coming up names no time where it has a subject', () => {
    const { asksAhead, days } = read('What is said about the upcoming launch?');
    expect({ asksAhead, days }).toEqual({ asksAhead: false, days: [] });
    expect(read('What is coming up?')).toMatchObject({ asksAhead: true, circumstance: { isAhead: true } });
  });

  test('has each of its words once', () => {
    expect(read('Dogs, dogs and the dog of the Smiths').terms).toEqual(['dog', 'smith']);
  });

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
    ['What does Caroline say of my plan?', null],
  ])('"%s" asks for the words of %s', (text, saidBy) => {
    expect(read(text).saidBy).toBe(saidBy);
  });

  test.each([
    ['What is the rate limit?', true],
    ['On which day do we deploy?', true],
    ['How many crates are missing?', true],
    ['How many days may one bring back what is bought now?', true],
    ['What was the rate limit?', false],
    ['What did we first charge?', false],
    ['Why is the limit 60?', false],
    ['How many days are there between the two talks?', false],
    ['What happened to the limit?', false],
    ['Which limits are there, all of them?', false],
    ['What is the limit as of 3 May 1960?', false],
    ['The rate limit is 60', false],
    ['How late are we open?', true],
    ['How soon is it due?', true],
    ['Where do we order paper?', true],
    ['In which order did they come?', false],
    ['Who asked for a logger?', false],
    ['Who found the leak?', false],
    ['What caused the leak?', false],
    ['What causes the leak?', true],
    ['Who asks for a logger?', true],
    ['Price of a ticket', true],
    ["Ann's deadline", true],
    ['Ticket price', false],
    ['Price of all the tickets', false],
    ['Colour of a ticket', false],
    ['Is that the price of a ticket?', false],
    [`What is ${'very '.repeat(25)}long?`, false],
  ])('"%s" asks for a present value: %s', (text, asksPresent) => {
    expect(readQuestion(text, { speakers, now: 1 }).asksPresent).toBe(asksPresent);
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
    expect(readQuestion(text, { speakers, now: 1 }).asksSeveral).toBe(asksSeveral);
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
    expect(readQuestion(text, { speakers, now: 1 }).asksList).toBe(asksList);
  });

  test.each([
    ...['x', 'X?', '7', 'a b', '"q"', '?!', 'ж', 'the', "I'm", 'ok', 'Thanks!', ' yes '].map(
      (text) => [text, false] as const,
    ),
    ...['ox', 'R&D', 'C++', '42', '好', '👍', 'WHO', 'Will', 'Who am I?', 'tea'].map((text) => [text, true] as const),
  ])('%j has a meaning to compare: %j', (text, hasMeaning) => {
    expect(read(text)).toMatchObject({ hasMeaning });
  });

  test('tells which of its terms are names of speakers', () => {
    const ann = { ...speakers, find: (word: string) => (word === 'Ann' || word === "Ann's" ? 'ann' : null) };
    expect(readQuestion("What do Ann's dogs eat?", { speakers: ann, now: 1 }).names).toEqual(['ann']);
    expect(readQuestion('What do dogs eat?', { speakers: ann, now: 1 }).names).toEqual([]);
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
    expect(read(text).asksWhen).toBe(asksWhen);
  });

  test.each([
    ['ids', 'a-b '.repeat(50_000)],
    ['one id', 'a-'.repeat(100_000)],
    ['one word', 'a'.repeat(200_000)],
    ['agents by name', 'the desk '.repeat(22_000)],
    ['words', 'Ann '.repeat(50_000)],
  ])('looks for speakers in 4,000 characters of 200,000: %s', (_name, text) => {
    const asked: Record<keyof typeof speakers, string[]> = {
      find: [],
      findAgent: [],
      hasOneCalled: [],
      findAgentByPart: [],
      findTeller: [],
    };
    const noting = (kind: keyof typeof speakers) => (words: string) => {
      asked[kind].push(words);
      return null;
    };
    const noted = {
      find: noting('find'),
      findAgent: noting('findAgent'),
      hasOneCalled: () => false,
      findAgentByPart: noting('findAgentByPart'),
      findTeller: noting('findTeller'),
    };
    readQuestion(text, { speakers: noted, now: 0 });
    // "the a b" asks for "a b" and for "a".
    for (const words of Object.values(asked)) expect(words.join('').length).toBeLessThanOrEqual(2 * 4_000);
  });
});

test('a message that tells something too has the form of what it asks', () => {
  const read = (text: string) => readQuestion(text, { speakers: NO_SPEAKERS, now: 0 });
  expect(read('My train leaves soon. What does the parcel weigh? Then I can go.').asksPresent).toBe(true);
  expect(read('When I was ill it broke. What did it cost? Then I can go.').asksWhen).toBe(false);
  expect(read('I make the list. Which books does Ann have? Then I can go.').asksList).toBe(true);
});
