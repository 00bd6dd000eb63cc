import { describe, expect, test } from '@jest/globals';
import type { ModelKind } from '../../../../src/domain/embedding/text-embedding.ts';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import type { Question } from '../../../../src/domain/recall/question/question.ts';
import { newerFirst } from '../../../../src/domain/recall/replacement/newer-first.ts';
import type { Ranked } from '../../../../src/domain/recall/replacement/pair.ts';
import { isSameButValue } from '../../../../src/domain/recall/replacement/same-but-value.ts';

const PRESENT = { asksPresent: true, speaker: null, text: 'How much is it?' } as Question;
const PASS = { ...PRESENT, text: 'What is the price of the pass?' };
const CHANGED = 'It costs 12, they say.';

/** A candidate with the score `fused`, said on `day`. */
const said = (fused: number, day: number, text = 'It costs 10.', words = 5) => ({
  fused,
  unlifted: fused,
  text,
  takesUp: null as Ranked['takesUp'],
  verdictIn: null as Ranked['verdictIn'],
  candidate: { evidence: { createdAt: day, words, cosine: 0.5 } } as Candidate,
});
const alike = (cosine: number, model: ModelKind = 'contextual') => ({ likeness: () => cosine, model });
/** Said last and more alike to each than any other, of nothing that is asked for; nothing else is the nearest then. */
const NEAREST = said(1, 99, 'It is nice.');
const besideNearest = (cosine: number, model: ModelKind = 'contextual') => ({
  likeness: (_: Candidate, b: Candidate) => (b === NEAREST.candidate ? 0.95 : cosine),
  model,
});
/** The places in `ranked` of the answers, as they stand afterwards. */
const order = (question: Question, ranked: readonly Ranked[], about: Parameters<typeof newerFirst>[2]) =>
  newerFirst(question, ranked, about).map(({ answer }) => ranked.indexOf(answer));
/** Whether the second of two changes places with the first. */
const replaces = (question: Question, ranked: readonly Ranked[], about: Parameters<typeof newerFirst>[2]) =>
  order(question, ranked, about)[0] === 1;

test('puts what has another value of the kind that is asked for before the older one, the newest first', () => {
  const ranked = [said(2, 1), said(1.9, 2, CHANGED), said(1.8, 3), said(1.5, 4, 'Now it is 14.')];
  const placed = newerFirst(PRESENT, ranked, alike(0.5));
  expect(placed.map(({ answer }) => ranked.indexOf(answer))).toEqual([3, 1, 0, 2]);
  expect(placed.map(({ movedBefore }) => movedBefore)).toEqual([ranked[0], ranked[0], null, null]);
  expect(replaces({ ...PRESENT, text: 'When does it open?' }, ranked, alike(0.5))).toBe(false);
});

test('moves no question but for what it tells', () => {
  const isMoved = (text: string, question = PRESENT) => {
    const asked = said(1.9, 2, text);
    Object.assign(asked.candidate.evidence, { isQuestion: true });
    return replaces(question, [said(2, 1), asked], alike(0.5));
  };
  expect(isMoved('It costs 12?')).toBe(false);
  expect(isMoved('It costs 12, can you pay?')).toBe(true);
  expect(isMoved('It costs 10, can you pay 12?')).toBe(false);
});

test('fits as well only where it is no question, whose asked words make it fit', () => {
  const who = { ...PRESENT, text: 'Who runs the bar?' };
  const ann = said(2, 1, 'Ann runs the bar.');
  const asked = said(1.95, 2, 'The bar was full on Monday. Does Bob run it?');
  expect(replaces(who, [ann, asked], alike(0.1))).toBe(true);
  Object.assign(asked.candidate.evidence, { isQuestion: true });
  expect(replaces(who, [ann, asked], alike(0.1))).toBe(false);
});

describe('whether something is still so', () => {
  const STILL = { ...PRESENT, asksStill: true, text: 'Do we still use the lift?' };
  const used = said(2, 1, 'We use the lift of the north wing for goods.');
  const SOLD = 'The lift was sold.';
  const isMoved = (text: string, { question = STILL, cosine = 0.3, near = 0.4 } = {}) => {
    const newer = said(1.5, 2, text);
    Object.assign(newer.candidate.evidence, { cosine });
    return replaces(question, [used, newer], alike(near));
  };

  test('is told by what is the nearest of all that was said later, and has a word of the question', () => {
    expect(isMoved(SOLD)).toBe(true);
    expect(isMoved('It was sold.')).toBe(false);
    expect(replaces(STILL, [used, said(1.5, 2, SOLD), NEAREST], besideNearest(0.49))).toBe(false);
  });

  test('only where the question asks that, no value is asked for, and both are alike and fit the question', () => {
    expect(isMoved(SOLD, { question: { ...STILL, asksStill: false } })).toBe(false);
    expect(isMoved(SOLD, { question: { ...STILL, text: 'How many use the lift still?' } })).toBe(false);
    expect(isMoved(SOLD, { near: 0.39 })).toBe(false);
    expect(isMoved(SOLD, { cosine: 0.29 })).toBe(false);
  });

  test('of the second and third too', () => {
    const sold = said(1.5, 2, SOLD);
    const likeness = (_: Candidate, b: Candidate) => (b === sold.candidate ? 0.5 : 0.4);
    const ranked = [said(2.5, 9, 'Which lift?'), used, sold];
    expect(order(STILL, ranked, { likeness, model: 'contextual' })).toEqual([0, 2, 1]);
  });
});

test('moves nothing from beyond the fifteenth place', () => {
  const between = (count: number) => Array.from({ length: count }, () => said(1.4, 1, 'It is nice.'));
  const newer = said(1.4, 2, CHANGED);
  expect(order(PRESENT, [said(2, 1), ...between(13), newer], alike(0.5))[0]).toBe(14);
  expect(order(PRESENT, [said(2, 1), ...between(14), newer], alike(0.5))[0]).toBe(0);
});

test('puts it before the second and the third, where the best answer is neither, and not before the fourth', () => {
  const best = said(3, 9, 'How much may it be?');
  const older = said(2.4, 1, 'It costs 10.');
  const newer = said(2.2, 2, CHANGED);
  expect(order(PRESENT, [best, older, newer], alike(0.5))).toEqual([0, 2, 1]);
  expect(order(PRESENT, [best, best, older, newer].slice(1), alike(0.5))).toEqual([0, 2, 1]);
  const other = said(2.9, 9, 'Good.');
  expect(order(PRESENT, [best, other, older, newer], alike(0.5))).toEqual([0, 1, 3, 2]);
  expect(order(PRESENT, [best, other, said(2.8, 9, 'Bad.'), older, newer], alike(0.5))).toEqual([0, 1, 2, 3, 4]);
});

test('puts nothing before what is moved itself', () => {
  const likeness = (a: Candidate, b: Candidate) =>
    [a.evidence.createdAt, b.evidence.createdAt].join() === '1,3' ? 0 : 0.5;
  const ranked = [said(2, 1), said(1.9, 2, CHANGED), said(1.8, 3, 'It is 14.')];
  const placed = newerFirst(PRESENT, ranked, { likeness, model: 'contextual' });
  expect(placed.map(({ answer, movedBefore }) => [ranked.indexOf(answer), movedBefore !== null])).toEqual([
    [1, true],
    [0, false],
    [2, false],
  ]);
});

test('may be little alike where it has another value of the same thing', () => {
  const opens = { ...PRESENT, text: 'Until what time is it open on Thursday?' };
  const older = said(2, 1, 'Tuesday to Sunday 10 to 18, on Thursday until 20:00.');
  const ranked = [older, said(1.2, 2, 'Thursday until 21:00.')];
  expect(replaces(opens, ranked, alike(0.1))).toBe(true);
  // One of them has no vector.
  expect(replaces(opens, ranked, alike(0))).toBe(false);
  expect(replaces(opens, [older, said(1.2, 2, 'Supper until 21:00.')], alike(0.49))).toBe(false);
});

test('may be little alike where it takes up the best answer and tells of a change, in few values', () => {
  const when = { ...PRESENT, text: 'When is the dentist?' };
  const older = said(2, 1, 'Check-up with Mr Sandhu on Thursday 19 November, 15:40.');
  const isMoved = (text: string, best = [older], isNamed = true) =>
    order(
      when,
      [...best, { ...said(1, 2, text), takesUp: { candidate: older.candidate, isNamed, isOfChange: true } }],
      alike(0.35),
    )[0] === best.length;
  const moved = "Sandhu's receptionist rang. Moved to 3 December, 16:10.";
  expect(isMoved(moved)).toBe(true);
  expect(isMoved(`${moved} Not 4 December.`)).toBe(false);
  expect(isMoved('Sandhu is ill till 3 December.')).toBe(false);
  expect(isMoved(moved, [said(2, 9, 'Rain.'), older])).toBe(false);
  // By a rare word alone it has to have a word of the question.
  expect(isMoved(moved, [older], false)).toBe(false);
  expect(isMoved('Dentist moved to 3 December.', [older], false)).toBe(true);
  // What stands first by a boost is not what it takes up.
  expect(isMoved(moved, [said(2.1, 0, 'The hygienist is there on Friday, 15:40.'), older])).toBe(false);
  expect(replaces(when, [older, said(1, 2, moved)], alike(0.35))).toBe(false);
});

describe('what is the most alike to the best answer of all that was said later', () => {
  const price = { ...PRESENT, text: 'What does the room cost us?' };
  const older = said(2, 1, 'The back room is 12 pounds for the afternoon.');
  const isMoved = (text: string, about: Parameters<typeof newerFirst>[2] = alike(0.35)) =>
    replaces(price, [older, said(0.5, 2, text), NEAREST], about);

  test('replaces it by another value, a word of the question and a hint of change', () => {
    const told = "Bronwen wrote: from the 29th the room's at 15 pounds.";
    expect(isMoved(told)).toBe(true);
    expect(isMoved(told, besideNearest(0.35))).toBe(false);
    expect(isMoved(told, alike(0.29))).toBe(false);
    expect(isMoved("Bronwen wrote: the room's at 15 pounds.")).toBe(false);
    expect(isMoved("Bronwen wrote: from the 29th it's at 15 pounds.")).toBe(false);
    expect(isMoved('Bronwen wrote: from the 29th the room might be at 15 pounds.')).toBe(false);
    expect(isMoved("Bronwen wrote: from the 29th the room's at 12 pounds.")).toBe(false);
    expect(isMoved("From the 29th the room's at 15 pounds, 20 for a day and 40 for two.")).toBe(false);
  });

  test('is a long text only by chance', () => {
    const long = said(0.5, 2, "Bronwen wrote: from the 29th the room's at 15 pounds.", 61);
    expect(replaces(price, [older, long, NEAREST], alike(0.35))).toBe(false);
    expect(replaces(price, [older, said(0.5, 2, long.text, 60), NEAREST], alike(0.35))).toBe(true);
  });

  test('is no question that tells nothing, however alike that is', () => {
    const told = said(0.5, 2, "Bronwen wrote: from the 29th the room's at 15 pounds.");
    const after = (text: string) => {
      const question = said(1, 99, text);
      Object.assign(question.candidate.evidence, { isQuestion: true });
      const likeness = (_: Candidate, b: Candidate) => (b === question.candidate ? 0.95 : 0.35);
      return order(price, [older, told, question], { likeness, model: 'contextual' })[0];
    };
    expect(after('Is it nice?')).toBe(1);
    expect(after('It is nice, is it?')).toBe(1);
    expect(after('It is nice now. Do you like it?')).toBe(0);
  });

  test('says nothing new where it has the same value beside what is asked for', () => {
    const closed = { ...PRESENT, text: 'On which weekday is the museum closed?' };
    const hours = said(2, 1, 'Hours: the museum is closed on Tuesdays, and on Thursdays we stay late.');
    const after = (text: string) => replaces(closed, [hours, said(1, 2, text)], alike(0.4));
    expect(after('Tuesdays we are closed now, so I would like to be free for the meeting. Wednesday?')).toBe(false);
    expect(after('Mondays we are closed now, so I would like to be free for the meeting. Wednesday?')).toBe(true);
  });

  test('tells plainly of a change where there is no value to compare, and is alike', () => {
    const who = { ...PRESENT, text: 'Who is our tax adviser?' };
    const imhoff = said(3, 1, 'Tax adviser: Dr Imhoff. Quarterly papers by the 10th.');
    const after = (text: string, cosine = 0.45) => replaces(who, [imhoff, said(1, 2, text)], alike(cosine));
    expect(after('Mrs Bellini does the tax papers in Ghent now.')).toBe(true);
    expect(after('Mrs Bellini does the tax papers in Ghent now.', 0.44)).toBe(false);
    expect(after('Mrs Bellini has a new desk for the tax papers.')).toBe(false);
    expect(after('Mrs Bellini does the books now.')).toBe(false);
    expect(after('Mrs Bellini does the tax papers in Ghent now, too.')).toBe(false);
    // Of the adviser it has no more than the question.
    expect(after('Mrs Bellini does the tax forms in Ghent now.')).toBe(false);
  });
});

test('takes a hint of change in a mention of the best answer where there is no value to compare', () => {
  const who = { ...PRESENT, text: 'Who brings our timber?' };
  const hollen = said(3, 1, 'Timber comes from Hollen sawmill, deliveries on Tuesdays.');
  const told = said(1, 2, 'New timber merchant is Roth & Sons; Hollen closed its mill.');
  const takesUp = { candidate: hollen.candidate, isNamed: true, isOfChange: false };
  expect(replaces(who, [hollen, { ...told, takesUp }], alike(0.45))).toBe(true);
  expect(replaces(who, [hollen, told], alike(0.45))).toBe(false);
});

test('puts the surest first, even where another is newer', () => {
  const ranked = [
    said(2, 1, 'The pass costs 10.'),
    said(1.5, 2, 'The pass is 12 from May.'),
    said(1.4, 3, 'Now that costs 7.'),
  ];
  expect(order(PASS, ranked, alike(0.6))).toEqual([1, 2, 0]);
  expect(order(PASS, [...ranked, said(1.3, 4, 'The pass is 14.')], alike(0.6))).toEqual([3, 1, 2, 0]);
});

test('may be little alike where it names what it takes the place of', () => {
  const cache = { ...PRESENT, text: 'Which cache do we use for sessions?' };
  const redis = said(2, 1, 'Use Redis for the session cache, we run a cluster already.');
  const isMoved = (text: string) => replaces(cache, [redis, said(0.9, 2, text)], alike(0.4));
  expect(isMoved('Session cache moved from Redis to Valkey on 18 November because of the licence.')).toBe(true);
  expect(isMoved('The session cache is now in a bigger room instead of the small one.')).toBe(false);
  expect(isMoved('Ann moved from Redis to Valkey.')).toBe(false);
});

test('fits the best one just as well where there is no value to compare', () => {
  const who = { ...PRESENT, text: 'Who runs the bar?' };
  const ann = said(2, 1, 'Ann runs the bar.');
  const bob = (fused: number) => said(fused, 2, 'The bar is run by Bob.');
  expect(replaces(who, [ann, bob(1.95)], alike(0.1))).toBe(true);
  expect(replaces(who, [ann, bob(1.85)], alike(0.1))).toBe(false);
  expect(order(who, [said(2.1, 9, 'Who runs it?'), ann, bob(1.95)], alike(0.1))).toEqual([0, 1, 2]);
});

test('tells of a change and adds one name, though it fits much less', () => {
  const who = { ...PRESENT, text: 'Who is the owner of billing?' };
  const ann = said(5, 1, 'Ann is the owner of billing.');
  const bob = (fused: number, text = 'Billing has moved to Bob.') => said(fused, 2, text);
  expect(replaces(who, [ann, bob(2.5)], alike(0.1))).toBe(true);
  expect(replaces(who, [ann, bob(2.4)], alike(0.1))).toBe(false);
  expect(replaces(who, [ann, bob(2.5, 'Billing is what Bob does.')], alike(0.1))).toBe(false);
  expect(replaces(who, [ann, bob(2.5, 'Bob is now the owner of search.')], alike(0.1))).toBe(false);
  expect(replaces({ ...who, text: 'When does billing close?' }, [ann, bob(2.5)], alike(0.1))).toBe(false);
});

test('is of who asks, and tells a change of what fits the question nearly as well', () => {
  const lives = said(5, 1, 'I live in Lisbon, in Alfama.');
  const isMoved = (text: string, { likeness = 0.3, fit = 0.4, question = 'Where do I live?', older = lives } = {}) => {
    const newer = said(3, 2, text);
    Object.assign(newer.candidate.evidence, { cosine: fit });
    return replaces({ ...PRESENT, text: question }, [older, newer], alike(likeness));
  };
  expect(isMoved('I moved to Porto last week.')).toBe(true);
  expect(isMoved('I moved to Porto last week.', { likeness: 0.29 })).toBe(false);
  expect(isMoved('I moved to Porto last week.', { fit: 0.39 })).toBe(false);
  expect(isMoved('I fly to Porto each week.')).toBe(false);
  expect(isMoved('Ann moved to Porto last week.')).toBe(false);
  expect(isMoved('I moved to Porto last week.', { question: 'Where does Ann live?' })).toBe(false);
  expect(isMoved('I moved to Porto last week.', { older: said(5, 1, 'Ann lives in Lisbon, in Alfama.') })).toBe(false);
  // The notes of an agent; what a team says of itself is of many.
  expect(isMoved('User has moved to Porto.', { older: said(5, 1, 'User lives in Lisbon.') })).toBe(true);
  expect(
    isMoved('We moved the archive.', { question: 'Where do we sit?', older: said(5, 1, 'We sit in Lisbon.') }),
  ).toBe(false);
});

test('takes up what one had, and tells that it is sold or finished', () => {
  const golf = said(2, 1, 'I drive a 2014 Golf.');
  const isMoved = (text: string) => {
    const newer = said(1.7, 2, text);
    Object.assign(newer, { takesUp: { candidate: golf.candidate, isNamed: true, isOfChange: false } });
    return replaces({ ...PRESENT, text: 'What car do I have?' }, [golf, newer], alike(0.45));
  };
  expect(isMoved('I sold the Golf and bought a Leaf.')).toBe(true);
  expect(isMoved('I washed the Golf and parked it.')).toBe(false);
  expect(isMoved('A Golf is sold every minute, I read.')).toBe(false);
});

test('tells something else of somebody, unless it is very much alike or takes up what was told', () => {
  const cat = said(2, 1, 'Ann has a cat, and feeds it herself.');
  const isMoved = (text: string, likeness: number, question = 'What pet does Ann have?') =>
    replaces(
      { ...PRESENT, text: question, asksStill: question.includes('still') },
      [cat, said(1.95, 2, text)],
      alike(likeness),
    );
  expect(isMoved('Ann has moved to Oslo.', 0.59)).toBe(false);
  expect(isMoved('Ann has moved to Oslo.', 0.6)).toBe(true);
  expect(isMoved('Ann has a dog now that she walks and feeds.', 0.59)).toBe(true);
  expect(isMoved('Ann has a new pet now.', 0.59)).toBe(true);
  // A thing has many properties too, and is named by its number.
  const moved = [said(2, 1, 'SHOP-101 is assigned to Ann.'), said(1.95, 2, 'SHOP-101 has moved to review.')];
  expect(replaces({ ...PRESENT, text: 'Who is SHOP-101 assigned to?' }, moved, alike(0.59))).toBe(false);
  // Not of somebody.
  expect(isMoved('CI is on Buildkite now.', 0.59, 'What does CI run on?')).toBe(true);
  expect(isMoved('Ann has moved to Oslo.', 0.59, 'Does Ann still have a pet?')).toBe(true);
});

test('numbers a thing anew, of which it tells nothing else that is asked for', () => {
  const node = said(2, 1, 'Node 20 is required, the image has no other yet.');
  const isMoved = (text: string) =>
    replaces({ ...PRESENT, text: 'Which Node version do we need?' }, [node, said(1.95, 2, text)], alike(0.59));
  expect(isMoved('We are on Node 22 now.')).toBe(true);
  expect(isMoved('Node is now in the second chapter.')).toBe(false);
  expect(isMoved('Ada brought Node 20 with her, now it is 3 o’clock.')).toBe(false);
});

test('names what it takes the place of in the best answer, of nothing else that it names', () => {
  const pnpm = said(3, 1, 'This repo uses pnpm, not npm.');
  const isMoved = (text: string) =>
    replaces({ ...PRESENT, text: 'Which package manager is in use?' }, [pnpm, said(1, 2, text)], alike(0.33));
  expect(isMoved('Switched from pnpm to bun last week.')).toBe(true);
  expect(isMoved("We've moved from pnpm to bun.")).toBe(true);
  expect(isMoved('The shop moved from pnpm to bun.')).toBe(false);
  expect(isMoved('Switched from yarn to bun last week.')).toBe(false);
  expect(isMoved('Switched the CI of pnpm to arm last week.')).toBe(false);
  // Only of the best answer.
  const best = said(4, 1, 'The package manager is in use.');
  const newer = said(1, 2, 'Switched from pnpm to bun last week.');
  const placed = order({ ...PRESENT, text: 'Which package manager is in use?' }, [best, pnpm, newer], alike(0.33));
  expect(placed).toEqual([0, 1, 2]);
});

test('tells of a change of the subject that is asked for, where the two are alike', () => {
  const where = { ...PRESENT, text: 'Where are the logs stored?' };
  const older = said(2, 1, 'The logs are stored in Elasticsearch.');
  const after = (text: string, cosine = 0.5) =>
    replaces(where, [older, said(1.2, 2, text), NEAREST], besideNearest(cosine));
  expect(after('Since this morning logs go to a bucket, the old cluster is off.')).toBe(true);
  expect(after('Since this morning logs go to a bucket, the old cluster is off.', 0.49)).toBe(false);
  expect(after('Since this morning all goes to a bucket, the old cluster is off.')).toBe(false);
  expect(after('The logs go to a bucket, the old cluster is off.')).toBe(false);
});

test('tells of a change of a value and has most words of the question, though it fits much less', () => {
  const asks = { ...PRESENT, text: 'How much does the gym pass cost?' };
  const older = said(5, 1, 'The gym pass costs 10.');
  const after = (text: string, { cosine = 0.3, fused = 2.5, question = asks } = {}) =>
    replaces(question, [older, said(fused, 2, text), NEAREST], besideNearest(cosine));
  const raised = 'They raised the gym pass to 12 and painted the walls.';
  expect(after(raised)).toBe(true);
  expect(after(raised, { cosine: 0.29 })).toBe(false);
  expect(after(raised, { cosine: 0.5, fused: 2.4 })).toBe(false);
  expect(after('They raised the gym pass and painted the walls.')).toBe(false);
  expect(after('They want 12 for the gym pass and painted the walls.')).toBe(false);
  expect(after('They raised the gym fee to 12 and painted the walls.')).toBe(false);
  expect(after(raised, { question: { ...PRESENT, text: 'How much does the pass cost?' } })).toBe(false);
  const long = { ...PRESENT, text: 'How much does the gym pass with sauna, towels and drinks cost?' };
  expect(after(raised, { question: long })).toBe(false);
});

test('has another value and is very much alike, though it fits much less', () => {
  const asks = { ...PRESENT, text: 'What is the price of the gym pass?' };
  const after = (text: string, { cosine = 0.6, words = 25, fused = 2.5 } = {}) =>
    replaces(asks, [said(5, 1, 'The gym pass costs 10.', words), said(fused, 2, text, words)], alike(cosine));
  expect(after('The pass is 12.')).toBe(true);
  expect(after('The pass is 12.', { cosine: 0.59 })).toBe(false);
  expect(after('The pass is 12.', { words: 26 })).toBe(false);
  expect(after('The pass is 12.', { fused: 2.4 })).toBe(false);
  expect(after('The towel is 12.')).toBe(false);
});

test('has to be more alike where it has no word of the question', () => {
  const after = (text: string, cosine: number) =>
    replaces(PASS, [said(2, 1, 'The pass costs 10.'), said(1.9, 2, text)], alike(cosine));
  expect(after('Visitors give 12 for the pass.', 0.5)).toBe(true);
  expect(after('Visitors give 12.', 0.59)).toBe(false);
  expect(after('Visitors give 12.', 0.6)).toBe(true);
});

test('is compared with the first 2,000 characters of a question', () => {
  const after = (blanks: number) =>
    replaces(
      { ...PRESENT, text: `How much for the gym,${' '.repeat(blanks)}pass?` },
      [said(2, 1, 'The pass costs 10.'), said(1.9, 2, 'Visitors give 12 for the pass and its stamp.')],
      alike(0.5),
    );
  expect(after(1_970)).toBe(true);
  expect(after(2_000)).toBe(false);
});

test('has all words of the question and is very much alike', () => {
  const asks = { ...PRESENT, text: 'What is the mascot of the team?' };
  const older = said(2, 1, 'The mascot of the team is a heron.');
  const after = (text: string, { cosine = 0.6, words = 25, fused = 1.1, question = asks } = {}) =>
    replaces(question, [older, said(fused, 2, text, words)], alike(cosine));
  const voted = 'The team voted for an otter as mascot.';
  expect(after(voted)).toBe(true);
  expect(after(voted, { cosine: 0.59 })).toBe(false);
  expect(after(voted, { words: 26 })).toBe(false);
  expect(after(voted, { fused: 0.9 })).toBe(false);
  expect(after('The team voted for an otter.')).toBe(false);
  expect(after(voted, { question: { ...PRESENT, text: 'What is the mascot?' } })).toBe(false);
  expect(order(asks, [said(2.1, 9, 'Who is it?'), older, said(1.1, 2, voted)], alike(0.6))).toEqual([0, 1, 2]);
});

test('tells of a change and has a new name beside a word of the question, though it fits much less', () => {
  const asks = { ...PRESENT, text: 'Where is our holiday flat?' };
  const after = (text: string, cosine = 0.5) =>
    replaces(asks, [said(5, 1, 'Our holiday flat is in Bled.'), said(2.5, 2, text), NEAREST], besideNearest(cosine));
  expect(after('We cancelled Bled and booked a flat in Piran.')).toBe(true);
  expect(after('We cancelled Bled and booked a flat in Piran.', 0.49)).toBe(false);
  expect(after('We cancelled Bled and booked a flat elsewhere.')).toBe(false);
  expect(after('We cancelled Bled and booked a room in Piran.')).toBe(false);
  expect(after('We painted Bled and booked a flat in Piran.')).toBe(false);
});

test('moves no other measure where a person or a place is asked for', () => {
  const ranked = [said(2, 1, 'The choir meets at seven in the hall.'), said(1.8, 2, 'The choir pays 12.')];
  const at = [said(2, 1, 'The choir is there at 19:00.'), said(1.8, 2, 'The choir is there at 20:00.')];
  expect(replaces({ ...PRESENT, text: 'Where does the choir meet?' }, ranked, alike(0.3))).toBe(false);
  expect(replaces({ ...PRESENT, text: 'Where is the choir?' }, at, alike(0.3))).toBe(false);
  expect(replaces({ ...PRESENT, text: 'How is the choir?' }, at, alike(0.3))).toBe(true);
});

test('is an hour or a weekday in a question about a person', () => {
  const teaches = { ...PRESENT, speaker: 'ann', text: 'On which weekday does Ann teach?' };
  const ranked = [said(2, 1, 'Ann teaches on Tuesdays.'), said(1.9, 2, 'Ann teaches on Fridays.')];
  expect(replaces(teaches, ranked, alike(0.5))).toBe(true);
  expect(replaces({ ...teaches, text: 'When does Ann teach?' }, ranked, alike(0.5))).toBe(false);
  expect(
    replaces(
      { ...teaches, text: 'What time does Ann teach?' },
      [said(2, 1, 'It is at 9:00.'), said(1.9, 2, 'It is at 10:00.')],
      alike(0.6),
    ),
  ).toBe(true);
  const saidBy = (speaker: -1 | 0 | 1, one: Ranked) => ({
    ...one,
    candidate: { ...one.candidate, evidence: { ...one.candidate.evidence, speaker } },
  });
  const [older, newer] = ranked as [Ranked, Ranked];
  expect(replaces(teaches, [saidBy(1, older), saidBy(-1, newer)], alike(0.5))).toBe(false);
  expect(replaces(teaches, [saidBy(-1, older), saidBy(1, newer)], alike(0.5))).toBe(true);
  expect(replaces(teaches, [saidBy(0, older), saidBy(0, newer)], alike(0.5))).toBe(true);
});

test('is a change with most other words of a question about a person, for a value, a person or a place', () => {
  const about = (speaker: string, text: string) => ({ ...PRESENT, speaker, text });
  const key = about('ann', "Who has the second key to Ann's flat?");
  const older = said(2, 1, 'My sister has a second key.');
  const after = (text: string, question = key) => replaces(question, [older, said(1.95, 2, text)], alike(0.9));
  expect(after('The second key is with Bob now.')).toBe(true);
  expect(after('The second key is with Bob.')).toBe(false);
  expect(after('Ann has a key to the shed now.')).toBe(false);
  expect(after('The second key is with Bob now.', about('ann', "What second key has Ann's flat?"))).toBe(false);
  const gate = [said(2, 1, 'The gate code is 12.'), said(1.9, 2, 'The gate code is 15 now.')];
  expect(replaces(about('ann', 'What is the gate code of Ann?'), gate, alike(0.6))).toBe(true);
  expect(replaces(about('ann', 'What is the number of Ann?'), gate, alike(0.6))).toBe(false);
});

test('takes up the older one and names the value that it takes the place of, however little else it has of the question', () => {
  const when = { ...PRESENT, text: 'On which weekday does the gardener come?' };
  const older = said(2, 1, 'Grass: every second Wednesday.');
  const takesUp = { candidate: older.candidate, isNamed: false, isOfChange: true };
  const instead = (of: string, more: Partial<Ranked> = { takesUp }) =>
    replaces(when, [older, { ...said(1.2, 2, `Thursdays instead of ${of} from now on.`), ...more }], alike(0.3));
  expect(instead('Wednesdays')).toBe(true);
  expect(instead('Mondays')).toBe(false);
  expect(instead('Wednesdays', {})).toBe(false);
});

test('says it of the subject that is asked for', () => {
  const asks = { ...PRESENT, text: 'Which diesel does the walnut press run on?' };
  const older = said(2, 1, 'The walnut press runs on diesel 4.');
  const after = (text: string, question: Question = asks) =>
    replaces(question, [older, said(1.95, 2, text)], alike(0.9));
  expect(after('The honey mixer runs on diesel 7.')).toBe(false);
  expect(after('The walnut press runs on diesel 7.')).toBe(true);
  expect(after('It runs on diesel 7 now.')).toBe(true);
  // The question names neither of them.
  expect(after('The honey mixer runs on diesel 7.', { ...PRESENT, text: 'Which diesel do we run on?' })).toBe(true);
});

describe('for a query that only names a thing', () => {
  const isMoved = (text: string, older: string, newer: string) =>
    replaces(
      { namesThing: true, speaker: null, text } as Question,
      [said(2, 1, older), said(1.9, 2, newer)],
      alike(0.5),
    );

  test('what tells of a change of the value goes first', () => {
    const older = 'Rent: 1,180 euros.';
    expect(isMoved('monthly rent amount', older, 'The rent went up to 1,235 euros.')).toBe(true);
    expect(isMoved('monthly rent amount', older, 'We might raise the rent to 1,235 euros.')).toBe(false);
  });

  test('what tells of another change of the same thing does not', () => {
    const older = 'Ann is the owner of the billing service.';
    expect(isMoved('owner billing service', older, 'Bob took over the billing service.')).toBe(true);
    expect(isMoved('owner billing', older, 'Billing has moved to Oslo.')).toBe(false);
  });

  test('another value goes first beside more than half of its words', () => {
    const older = 'The export stops at a row limit of 5,000.';
    expect(isMoved('CSV export row limit', older, 'Export: the row limit is 20,000.')).toBe(true);
    expect(isMoved('CSV export row limit', older, 'The limit of seats of an export is 20,000.')).toBe(false);
    expect(isMoved('export row colour', older, 'Export: row 20,000 is red.')).toBe(false);
  });

  test('so does the same line with another value', () => {
    expect(isMoved('payments pool', 'PAYMENTS_POOL_SIZE=90', 'PAYMENTS_POOL_SIZE=120')).toBe(false);
    expect(isMoved('payments pool', 'payments pool: size 90', 'payments pool: size 120')).toBe(true);
    expect(isMoved('pet of Ann', 'Ann has a cat.', 'Ann has moved to Oslo.')).toBe(false);
  });

  test('what leaves out its name does not', () => {
    const older = 'The Flexa desk is 140 long.';
    expect(isMoved('Flexa desk length', older, 'The desk is now 160 long.')).toBe(false);
    expect(isMoved('desk length', older, 'The desk is now 160 long.')).toBe(true);
    expect(isMoved('desk e2 length', 'The desk e2 is 140 long.', 'The desk is now 160 long.')).toBe(false);
  });
});

test('is read as far as 2,000 characters', () => {
  const after = (blanks: number) => [said(2, 1), said(1.9, 2, `It costs,${' '.repeat(blanks)}12.`)];
  expect(replaces(PRESENT, after(1_900), alike(0.5))).toBe(true);
  expect(replaces(PRESENT, after(2_000), alike(0.5))).toBe(false);
});

test('is compared with a short one only', () => {
  const after = (words: number) => [said(2, 1, 'It costs 10.', words), said(1.9, 2, CHANGED)];
  expect(replaces(PRESENT, after(120), alike(0.5))).toBe(true);
  expect(replaces(PRESENT, after(121), alike(0.5))).toBe(false);
});

test.each([
  ['in a question of the past', { asksPresent: false } as Question, said(1.9, 2, CHANGED), 0.5],
  ['of the same moment', PRESENT, said(1.9, 1, CHANGED), 0.5],
  ['that is older', PRESENT, said(1.9, 0, CHANGED), 0.5],
  ['in a question about a person', { ...PRESENT, speaker: 'ann' } as Question, said(1.9, 2, CHANGED), 0.5],
  ['of another subject', PRESENT, said(1.9, 2, CHANGED), 0.49],
  ['that fits much less', PRESENT, said(0.9, 2, CHANGED), 0.5],
  ['with the same value', PRESENT, said(1.9, 2, 'It costs 10, as I say.'), 0.5],
  ['that is long', PRESENT, said(1.9, 2, CHANGED, 121), 0.5],
])('moves no statement %s', (_, question, other, cosine) => {
  expect(replaces(question, [said(2, 1), other], alike(cosine))).toBe(false);
});

test('has to be as much alike as the vectors of the model tell', () => {
  const ranked = [said(2, 1), said(1.9, 2, CHANGED)];
  expect(replaces(PRESENT, ranked, alike(0.59, 'static'))).toBe(false);
  expect(replaces(PRESENT, ranked, alike(0.6, 'static'))).toBe(true);
  expect(replaces(PRESENT, ranked, alike(1, 'none'))).toBe(false);
});

test.each([
  [0.5, 0.25],
  [0.8, 0.1],
])('of a cosine of %d with the older one has to have %d with the question, where that one has 0.5', (cosine, least) => {
  const newer = said(1.9, 2, CHANGED);
  const at = (own: number) => ({
    ...newer,
    candidate: { evidence: { ...newer.candidate.evidence, cosine: own } } as Candidate,
  });
  expect(replaces(PRESENT, [said(2, 1), at(least - 0.01)], alike(cosine))).toBe(false);
  expect(replaces(PRESENT, [said(2, 1), at(least + 0.01)], alike(cosine))).toBe(true);
});

test('of the past, puts what says the same with another value before it, with any model', () => {
  const past = { asksPresent: false, asksPast: true, speaker: null, text: 'Where was Ann Bell born?' } as Question;
  const ranked = [said(2, 1, 'Ann Bell was born in Leeds.'), said(1.9, 2, 'Ann Bell was born in Porto.')];
  expect(order(past, ranked, alike(0, 'none'))).toEqual([1, 0]);
  expect(order(past, [...ranked].reverse(), alike(0))).toEqual([0, 1]);
  expect(order({ ...past, speaker: 'ann' }, ranked, alike(1))).toEqual([0, 1]);
  expect(order({ ...past, asksPast: false }, ranked, alike(1))).toEqual([0, 1]);
});

test.each([
  ['- [ ] pay the plumber', '- [x] pay the plumber', true],
  ['* [X] Pay the plumber', '* [ ] Pay the plumber', true],
  ['- [ ] pay the plumber', '- [ ] pay the plumber', false],
  ['- [ ] pay the plumber', '- [x] pay the doctor', false],
  ['pay the plumber', '- [x] pay the plumber', false],
  ['- [ ] pay the plumber', 'pay the plumber', false],
])('whatever is asked, %j gives way to %j, which is the same to-do with another box: %p', (older, newer, expected) => {
  const did = { asksPresent: false, asksPast: false, speaker: null, text: 'Did I pay the plumber?' } as Question;
  for (const question of [did, { ...did, asksPresent: true }, { ...did, asksPresent: true, speaker: 'ann' }])
    expect(replaces(question, [said(2, 1, older), said(1.9, 2, newer)], alike(0))).toBe(expected);
});

test.each([
  ['Ann Bell was born in Leeds.', 'Ann Bell was born in Porto, Portugal.', true],
  ['The author of "Tide" is Emma Stroud.', 'The author of "Tide" is Paul de la Varga.', true],
  ['We paid 900 euros for it.', 'We paid 1,020 euros for it.', true],
  ['"the key was in the red box"', 'The key was in the blue bag.', true],
  ['Ann Bell was born in Leeds.', 'Bob Bell was born in Leeds.', false],
  ['Ann Bell was born in Leeds.', 'Ann Bell was born in Leeds.', false],
  ['Ann Bell was born in Leeds.', 'Ann Bell was born in Leeds in 1970.', false],
  ['Ann Bell was born in Leeds.', 'Ann Bell was told that she has to go to Porto now.', false],
  [`We paid 900 for ${'it '.repeat(22)}`, `We paid 950 for ${'it '.repeat(22)}`, false],
])('%j and %j say the same with another value: %p', (one, other, expected) => {
  expect(isSameButValue(one, other, '')).toBe(expected);
  expect(isSameButValue(other, one, '')).toBe(expected);
});

test.each([
  ['What was the password of db1?', 'The password of db1 was tulip.', 'The password of db2 was rose.', false],
  ['What was the password of db1?', 'The password of db1 was tulip.', 'The password of db1 was rose.', true],
  ['Who was lead in sprint 1?', 'Lead in sprint 1 was Ann.', 'Lead in sprint 2 was Bob.', false],
  [
    'Where was the spring party?',
    'The venue of the spring party was Leeds.',
    'The venue of the autumn party was Turin.',
    false,
  ],
  ['Who was born in Leeds?', 'Ann Bell was born in Leeds.', 'Ann Bell was born in Porto.', false],
  ['Where was the old key?', 'The key was in the red box.', 'The key was in a blue bag.', true],
])('asked %j, %j and then %j tell of one thing: %p', (asked, older, newer, expected) => {
  const past = { asksPresent: false, asksPast: true, speaker: null, text: asked } as Question;
  expect(isSameButValue(older, newer, asked)).toBe(expected);
  expect(replaces(past, [said(2, 1, older), said(1.9, 2, newer)], alike(0))).toBe(expected);
});

test('reads no long text for a question about the past', () => {
  const long = (town: string) => `Ann was born ${'near '.repeat(19)}${town.repeat(100)}`;
  expect(isSameButValue('Ann was born in Leeds', 'Ann was born in Porto', '')).toBe(true);
  expect(isSameButValue(long('Leeds'), long('Porto'), '')).toBe(false);
});

test('moves nothing of nothing', () => {
  expect(newerFirst(PRESENT, [], alike(1))).toEqual([]);
});
