import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clashesOf } from '../../../../src/domain/contradictions/clashes/clashes-of.ts';
import { overlapOf } from '../../../../src/domain/contradictions/statements/overlap.ts';
import {
  type Speaker,
  type Statement,
  statementsOf,
} from '../../../../src/domain/contradictions/statements/statement.ts';
import { type Veto, vetoesOf } from '../../../../src/domain/contradictions/vetoes/veto.ts';

const ANN: Speaker = { role: null, agentId: 'ann' };
const BOB: Speaker = { role: null, agentId: 'bob' };
const USER: Speaker = { role: 'user', agentId: 'ann' };

const read = (text: string, speaker: Speaker) => statementsOf(text, speaker)[0] as Statement;

function vetoes(a: Statement, b: Statement): Veto[] {
  const overlap = overlapOf(a, b);
  return vetoesOf(a, b, { overlap, clashes: clashesOf(a, b, overlap) });
}

/** Of two agents, in either order. */
function between(a: string, b: string): Veto[] {
  const [there, back] = [vetoes(read(a, ANN), read(b, BOB)), vetoes(read(b, BOB), read(a, ANN))];
  expect([...back].sort()).toEqual([...there].sort());
  return there;
}

const CLAIM = 'The pool opens at 9:30.';

describe('nothing speaks against a contradiction', () => {
  test.each([
    ['of two plain claims', 'The pool opens at 7:00.', CLAIM],
    ['of two plain claims about one father', "Mel's dad opens the pool at 7:00.", "Mel's dad opens the pool at 9:30."],
    ['of two plain claims about one of many', 'A dad opens the pool at 7:00.', 'The dad opens the pool at 9:30.'],
    ['of a request that denies what the other says', 'Please no lift in the pool.', 'The pool has a lift.'],
    ['of two wishes', 'Milo wants to swim 7 lanes.', 'Milo wants to swim 9 lanes.'],
    [
      'where the note is to be taken for a fact',
      'Please note that the lockers are blue.',
      'The lockers are made of tin.',
    ],
    ['where both say when a thing ends', 'The loan runs until 2034.', 'The loan ends in 2031.'],
    ['of two plans', 'The pool should open at 7:00.', 'The pool should open at 9:30.'],
    ['of two rough claims', 'The pool usually opens at 7:00.', 'The pool usually opens at 9:30.'],
    ['of two additions', 'The pool also has a slide.', 'The pool also has a tower.'],
    ['where a day alone differs', 'The vote is on Monday.', 'The vote is on Friday.'],
    ['where a year alone differs', 'The pool was built in 1887.', 'The pool was built in 1903 by two brothers.'],
    ['where something else is rough', 'The pool has 70 guests, mostly children.', 'The pool has 90 guests.'],
    ['where something else is planned', 'She wants a discount, and the pool costs 7 euros.', 'The pool costs 9 euros.'],
    ['where both say the year', 'In 2024 the pool had 7 lanes.', 'In 2024 the pool had 9 lanes.'],
    ['where one alone says the year', 'In 2024 the pool had 7 lanes.', 'The pool had 9 lanes.'],
    ['where one alone names an incident', 'INC-12 took 5 hours.', 'It took 7 hours.'],
    ['where the two kinds are what clashes', 'Ann won the 2019 prize.', 'Ann won the 2021 prize.'],
    [
      'where one compound is no subject',
      'The job runs quail-small in 5 minutes.',
      'The job runs quail-base in 7 minutes.',
    ],
    ['of two names that one verb takes alone', 'Ann owns Kestrel.', 'Ann owns Petrel.'],
    ['where one tense is not said', 'The grant was rejected.', 'The grant got approved.'],
    ['of two pasts', 'The pool used to open at 7:00.', 'The pool used to open at 9:30.'],
    ['where it will end', 'The pool is rented until May.', 'The pool is rented for 5 years.'],
    ['of two brothers', "Ann's brother has 7 boats.", "Ann's brother has 9 boats."],
    ['of a name that a relative has', "Ann's husband: Rafael", 'Ann is married to Milo.'],
    ['of who somebody is', "Ann's a colleague.", 'Ann is a friend.'],
    ['of what is whose', "It's my brother's boat.", "It is Milo's boat."],
    ['of the boats of two others', "Ann's brother has 7 boats.", 'Milo has 9 boats.'],
  ])('%s', (_, a, b) => {
    expect(between(a, b)).toEqual([]);
  });
});

test('what still is may have ended since, but has not become so', () => {
  const [granted, pending] = [read('The permit was granted in July.', ANN), read('The permit is still pending.', BOB)];
  expect([vetoes(granted, pending), vetoes(pending, granted)]).toEqual([[], ['told_change']]);
});

describe('one thing speaks against a contradiction', () => {
  test.each<[Veto, string, string]>([
    ['question', 'Does the pool open at 7:00?', CLAIM],
    ['conditional', 'If it rains the pool opens at 7:00.', CLAIM],
    ['doubtful', 'Perhaps the pool opens at 7:00.', CLAIM],
    ['plan', 'The pool is going to open at 7:00.', CLAIM],
    ['rough', 'The pool usually opens at 7:00.', CLAIM],
    ['additive', 'The pool also opens at 7:00.', CLAIM],
    ['other_time', 'In 2024 the pool had 7 lanes.', 'In 2025 the pool had 9 lanes.'],
    ['other_time', 'The app is at version 3.8.', 'The app was on version 3.5 until spring.'],
    ['other_time', 'The app is at version 3.8.', 'The app was on version 3.5.'],
    ['other_time', 'In 2024 the pool was heated with oil.', 'In 2025 sun heats the pool.'],
    ['other_time', 'Our Petrel 2.1 is slow.', 'With version 2.2 Petrel is quick.'],
    ['other_time', 'On Monday the pool had 70 guests.', 'On Friday the pool had 90 guests.'],
    ['other_time', 'On 3 October the pool was full.', 'On 4 October the pool was empty.'],
    ['other_time', 'The pool used to open at 7:00.', 'Nowadays the pool opens at 9:30.'],
    ['additive', 'Amelie speaks French.', 'Amelie speaks German.'],
    ['other_identifier', 'Ann closed INC-12 in 5 hours.', 'Ann closed INC-13 in 7 hours.'],
    ['other_subject', 'Incident 231 took 5 hours.', 'Incident 332 took 7 hours.'],
    ['other_subject', 'INC-3088: the pool failed.', 'INC-fd81: the pool failed.'],
    ['other_one', 'In the morning the pool is open.', 'In the evening the pool is closed.'],
    ['other_subject', 'Today quail-small overfits in 5 minutes.', 'Today quail-base overfits in 7 minutes.'],
    ['exclaimed', 'The pool opens at 7:00, hooray!', CLAIM],
    ['other_time', 'The pool was closed on Monday.', 'The pool is open.'],
    ['other_subject', 'The pool opens at 7:00.', 'The pool closes at 9:30.'],
    ['other_subject', 'The pool has at least 3 lifts.', 'The pool has at most 5 lifts.'],
    ['other_subject', 'The mobile team starts at 9:30.', "The platform team's day starts at 10:00."],
    ['other_subject', 'Mouse group A got 5 mg.', 'Mouse group B got 10 mg.'],
    ['other_subject', "Ann's brother has 7 boats.", 'Ann has 9 boats.'],
    ['other_subject', 'My parents have 7 boats.', 'We have 9 boats.'],
    ['other_time', 'Milo ate meat until he turned 20.', 'Milo is vegetarian.'],
    ['other_time', 'As a child Milo loved boats.', 'Milo hates boats.'],
    ['other_time', 'The pool used to be empty.', 'The pool is full.'],
    ['intent', "We're trying to open the pool at 7:00.", CLAIM],
    ['intent', 'Please prepare the lockers of the pool.', 'The lockers of the pool have keys.'],
    ['intent', 'Add a test of the lockers to PR 15.', 'The lockers of the pool have keys.'],
    ['intent', 'Ok, then rename the lockers.', 'The lockers of the pool have keys.'],
    ['other_speaker', 'I open the pool at 7:00.', 'I open the pool at 9:30.'],
    ['other_speaker', 'Dad opens the pool at 7:00.', 'Dad opens the pool at 9:30.'],
    ['other_speaker', 'My mum opens the pool at 7:00.', 'Mum opens the pool at 9:30.'],
    ['other_speaker', "Grandma's pool opens at 7:00.", "Grandma's pool opens at 9:30."],
    ['other_speaker', 'The keys are with her. Dad opens the pool at 7:00.', 'Dad opens the pool at 9:30.'],
  ])('%s: %j against %j', (veto, a, b) => {
    expect(between(a, b)).toEqual([veto]);
  });
});

describe('the newer statement says itself that it changes something', () => {
  const told = (older: string, newer: string) => vetoes(read(older, ANN), read(newer, BOB));
  test.each([
    ['The pool opens at 9:30 now.'],
    ['From May on the pool opens at 9:30.'],
    ['The opening of the pool was moved to 9:30.'],
    ['Pool hours are short. New: 9:30.'],
  ])('%j', (newer) => {
    expect(told(CLAIM.replace('9:30', '7:00'), newer)).toEqual(['told_change']);
  });

  test.each([
    ['the older one does', 'The pool opens at 7:00 now.', CLAIM],
    ['both do', 'The pool opens at 7:00 now.', 'The pool opens at 9:30 now.'],
    [
      'it never was otherwise',
      'Ann owns the pool.',
      'Bob owns the pool now, he has been its owner since it was built.',
    ],
    ['it is so at this moment', 'The pool has 7 guests.', 'The pool has 9 guests right now.'],
    [
      'what has changed is what is said',
      'Ann lives with her parents.',
      'Ann has moved out of the house of her parents.',
    ],
    ['it denies the older one', 'The pool has a lift.', 'The pool has no lift now.'],
  ])('not where %s: %j, %j', (_, older, newer) => {
    expect(told(older, newer)).not.toContain('told_change');
  });
});

describe('statements on different tickets, builds, commits, orders', () => {
  test.each([
    ['Incident 231 closed the pool for 5 hours.', 'Incident 332 closed the pool for 7 hours.'],
    ['In INC-12 the pool was closed for 5 hours.', 'In INC-13 the pool was closed for 7 hours.'],
    ['The cause of INC-12 was a full disk.', 'The cause of INC-13 was an empty disk.'],
    ['#123 is open.', '#124 is closed.'],
    ['PR 12 is merged.', 'Pull request #13 is not merged.'],
    ['Build 231 passed on Linux.', 'Build 232 failed on Linux.'],
    ['Commit 3f2a touches the pool: a slow query is gone.', 'Commit 81cc touches the pool: a stale lock is gone.'],
    ['3f2a9c1 made the pool slow.', '81cc07d made the pool fast.'],
    ['v2.3.1 needs 4 GB.', 'Version 2.4.0 needs 8 GB.'],
    ['Order number 4411 was paid.', 'Order number 4412 was not paid.'],
    ['Run 17 was green.', 'Run 18 was red.'],
    // What a heading names, all of the message is about.
    ['INC-12: Ann was called. The repair took 5 hours.', 'INC-13: Bob was called. The repair took 7 hours.'],
    ['Incident 12\nThe repair took 5 hours.', 'Incident 13\nThe repair took 7 hours.'],
  ])('do not contradict each other: %j, %j', (a, b) => {
    const [mine, theirs] = [statementsOf(a, ANN), statementsOf(b, BOB)];
    expect(between(a, b)).toContain('other_subject');
    expect(vetoes(mine.at(-1) as Statement, theirs.at(-1) as Statement)).toContain('other_subject');
  });

  test.each([
    ['where it is the value', 'The failing build is build 231.', 'The failing build is build 332.'],
    ['where it is the value of a label', 'Failing build: build 231', 'Failing build: build 332'],
    ['where it is all that is said', 'Failing build 231.', 'Failing build 332.'],
    ['where the rest says which one', 'INC-1 is the ticket for the outage.', 'INC-2 is the ticket for the outage.'],
    ['where one of them is in use', 'v2.3 is live.', 'v2.4 is live.'],
    ['where it says since when', 'Since PR 7 the limit is 5 seconds.', 'Since PR 8 the limit is 15 seconds.'],
    ['where it is what somebody did', 'Ann closed INC-12 in May.', 'Ann closed INC-13 in May.'],
    ['of one incident', 'INC-12 took 5 hours.', 'Incident 12 took 7 hours.'],
    ['of one commit', 'Commit 3f2a9c1 is green.', '3f2a9c1d07 is red.'],
    ['of one version', 'Version 2 needs 4 GB.', 'Version 2.3 needs 8 GB.'],
    ['where one names both', 'Build 231 is green.', 'Build 232 is red, unlike build 231.'],
    ['of two kinds', 'INC-12 took 5 hours.', 'Ticket 13 took 7 hours.'],
    ['of amounts', 'Order 12 lamps for the pool.', 'Order 15 lamps for the pool.'],
    ['of measures', 'Run 5km a day.', 'Run 7km a day.'],
    ['of what has a number in its name', 'UTF-8 is used by the pool.', 'UTF-16 is used by the pool.'],
    ['of two sentences', 'PR 12 is open. The blue pool has 7 lanes.', 'PR 13 is open. The blue pool has 9 lanes.'],
  ])('may contradict each other %s: %j, %j', (_, a, b) => {
    expect(between(a, b)).not.toContain('other_subject');
  });
});

describe('statements on two things with names of their own', () => {
  test.each([
    ['The walnut press runs on diesel 4.', 'The honey mixer runs on diesel 7.'],
    ['The walnut press is cleaned every 2 weeks.', 'The honey mixer is cleaned every 6 weeks.'],
    ['The lid of the walnut press broke in May.', 'The lid of the honey mixer broke in June.'],
    ['The press shop closes at 7:00 in winter.', 'The honey mixer closes at 9:00 in winter.'],
    ['Our night baker starts at 3:00 on weekdays.', 'Our driver starts at 5:00 on weekdays.'],
    // One word tells the two things apart.
    ['Now the north gate is locked.', 'The south gate is unlocked now.'],
    ['Ann read that the 2019 edition has 7 maps.', 'The 2025 edition has 9 maps.'],
    ['The mean latency of the pool is 120 ms.', 'The peak latency of the pool is 340 ms.'],
    // Both say the word of what they speak of.
    ['The oven list lists 12 loaves.', 'The delivery sheet lists 15 loaves.'],
  ])('do not contradict each other: %j, %j', (a, b) => {
    expect(between(a, b)).toContain('other_subject');
  });

  test.each([
    ['of one thing', 'The walnut press runs on diesel 4.', 'The walnut press runs on diesel 7.'],
    ['of one thing with two names', 'The walnut press runs on diesel 4.', 'The nut press runs on diesel 7.'],
    ['where one noun may be the other', 'The mixer runs on diesel 4.', 'The machine runs on diesel 7.'],
    ['where one names both', 'The walnut press runs on gas.', 'The honey mixer runs on oil, the walnut press too.'],
    ['where something else is said', 'The honey mixer is quick.', 'The walnut press runs on oil.'],
    ['where it is the value', 'Bread goes to the corner shop.', 'Bread goes to the school kitchen.'],
    ['where it is what was chosen', 'We chose the walnut press for May.', 'We chose the honey mixer for May.'],
    [
      'where a verb stands in its place',
      'The choir sang Bach for us.',
      'The programme for us says the choir sang Brahms.',
    ],
  ])('may contradict each other %s: %j, %j', (_, a, b) => {
    expect(between(a, b)).not.toContain('other_subject');
  });
});

describe('statements on two things of a kind that have numbers', () => {
  test.each([
    ['User 50 likes item 50.', 'User 100 likes item 0.'],
    ['Room 12 is locked.', 'Room 14 is not locked.'],
    ['The projector in room 4 is broken.', 'The projector in room 5 works fine.'],
    // Both may do the same, or be in one place.
    ['Robot 17 is in Oslo.', 'Robot 25 is in Oslo.'],
    // Each goes on with something of its own.
    ['Shelf 12 is the one for maps.', 'Shelf 14 is the one for atlases.'],
  ])('do not contradict each other: %j, %j', (a, b) => {
    expect(between(a, b)).toContain('other_subject');
  });

  test.each([
    ['of one thing', 'Room 12 is locked.', 'Room 12 is open.'],
    ['of two kinds', 'Room 12 is locked.', 'Shelf 14 is open.'],
    ['where they say which one it is', 'Shelf 12 is our largest shelf.', 'Shelf 14 is our largest shelf.'],
    ['where one alone says more', 'Shelf 12 is our largest shelf.', 'Shelf 14 is our largest shelf today.'],
    ['where the number is the value', 'The maps stand on shelf 12.', 'The maps lie on shelf 14.'],
    ['of amounts', 'Our 12 maps are old.', 'Our 14 maps are new.'],
    ['where something stands between', 'Shelf 12 and a box are full.', 'Shelf 14 and a box are empty.'],
  ])('may contradict each other %s: %j, %j', (_, a, b) => {
    expect(between(a, b)).not.toContain('other_subject');
  });
});

describe('one says nothing but what the other says', () => {
  test.each([
    ['Ivan is the president of the tennis club.', 'Our tennis club president is Ivan.'],
    ['Release date: 1 June.', 'The release is on June 1st.'],
    ['Ann is a nurse.', 'Ann is a nurse in Rome.'],
    ['Ann owns the billing service.', 'The owner of billing is Ann.'],
    ['My passport expires in 2031.', 'passport valid until 2031'],
    ['Ann reports to Bob.', 'To Bob Ann reports.'],
    ['In the team Ann helps Bob.', 'Ann helps Bob in the team.'],
    ['Ann led the choir.', 'The choir is led by Ann.'],
    ['Ann met Bob in Rome.', 'Bob met Ann in Rome.'],
    ['Ann is engaged to Bob.', 'Bob is engaged to Ann.'],
    ['The tractor key hangs behind the barn door.', 'The key of the tractor is on a hook behind the door of the barn.'],
    ["Bea isn't in the car pool on Fridays.", 'Fridays the car pool does without Bea.'],
  ])('%j, %j', (a, b) => {
    expect(between(a, b)).toEqual(['repeated']);
  });

  test.each([
    ['where a value differs', 'Release date: 1 June.', 'The release is on June 2nd.'],
    ['where one denies it', 'Ann is a nurse.', 'Ann is not a nurse in Rome.'],
    ['where something ends', 'Ann is on the platform team.', 'Ann left the platform team.'],
    [
      'where two things are compared',
      'Ann finds trains nicer than planes.',
      'Planes are nicer than trains, Ann finds.',
    ],
    ['where two change places', 'Ann reports to Bob.', 'Bob reports to Ann.'],
    ['where two change places, and one says more', 'Ann calls Bob.', 'On Fridays Bob calls Ann.'],
    ['where two change places in time', 'Backups run before deploys.', 'Deploys run before backups.'],
    ['where two change places behind "is"', 'Ann is the mother of Eve.', 'Eve is the mother of Ann.'],
    ['where a number names the thing', 'Hive 3 is queenless.', 'We saw the queen in hive 3.'],
    ['where a label names the thing', 'The pump of room 12 broke.', 'We tested the pump of room 12.'],
    ['where the times differ, in other units', 'Audit logs: 90 days', 'We keep audit logs for one year.'],
    ['where a month alone is shared', 'The rent for May is paid.', 'The landlord waits for money in May.'],
  ])('not %s: %j, %j', (_, a, b) => {
    expect(between(a, b)).not.toContain('repeated');
  });
});

describe('how a sentence is meant', () => {
  test('counts for the sentence that both statements are about', () => {
    expect(between('Does the kettle work? The pool opens at 7:00.', CLAIM)).toEqual([]);
    expect(between('The kettle works. Does the pool open at 7:00?', CLAIM)).toEqual(['question']);
    expect(between('Perhaps the kettle works. The pool opens at 7:00. It may rain.', CLAIM)).toEqual([]);
  });

  test('is that of the sentence which shares most, though its words stand in another one before', () => {
    const [twice, once] = [
      'The pool is blue. Perhaps the pool opens at 7:00.',
      'Perhaps the pool is blue. The pool opens at 7:00.',
    ];
    expect(between(twice, CLAIM)).toEqual(['doubtful']);
    expect(between(once, CLAIM)).toEqual([]);
  });

  test('is that of the sentence which shares more by itself, though a later one has further words', () => {
    expect(between('The pool opens at 7:00. Perhaps the Alder is blue.', 'The Alder pool opens at 9:30.')).toEqual([]);
  });

  test('is that of the first sentence where nothing is shared', () => {
    expect(between('Perhaps it rains. The kettle works.', CLAIM)).toEqual(['doubtful']);
  });

  test('is not asked of a text without sentences', () => {
    expect(between('', CLAIM)).toEqual([]);
  });
});

test('what somebody would like is no fact', () => {
  expect(between('Milo wants to swim 7 lanes.', 'Milo swims 9 lanes.')).toEqual(['plan', 'intent']);
  expect(between('Milo wants to swim.', 'Milo never swims.')).toEqual(['plan']);
});

describe('what somebody says of their own affairs', () => {
  const own = (a: string, b: string, speaker: Speaker = ANN) => vetoes(read(a, speaker), read(b, speaker));

  test.each<[string, string, Veto[]]>([
    ['My draft has 400 words.', 'My draft has 700 words.', ['own_words']],
    // One "I" is enough.
    ['My draft has 400 words.', 'The draft has 700 words.', ['own_words']],
    ['The draft has 400 words.', 'The draft has 700 words.', []],
    // Taken back: denied, opposed, disliked.
    ["I've never met Rosa in Bonn.", 'I met Rosa in Bonn.', []],
    ['My shop is open.', 'My shop is closed.', []],
    ['I love hiking.', 'I hate hiking.', []],
    // Nothing clashes.
    ['My draft is about kettles.', 'My draft is about pools.', ['own_words']],
  ])('goes on, unless it is taken back: %j, then %j', (a, b, expected) => {
    expect([own(a, b), own(b, a)]).toEqual([expected, expected]);
  });

  test('is the same person for every agent, where that is the user, but not the same speaker', () => {
    const [mine, theirs] = ['I open the pool at 7:00.', 'I open the pool at 9:30.'];
    const other: Speaker = { role: 'user', agentId: 'bob' };
    expect(vetoes(read(mine, USER), read(theirs, other))).toEqual([]);
    expect(vetoes(read(mine, { ...USER, name: 'Dana' }), read(theirs, { ...other, name: 'dana ' }))).toEqual([]);
    expect(vetoes(read(mine, { ...USER, name: 'Dana' }), read(theirs, { ...other, name: 'Mel' }))).toEqual([
      'other_speaker',
    ]);
    expect(vetoes(read(mine, USER), read(theirs, ANN))).toEqual(['other_speaker']);
  });
});

test('an assistant means the kin of the user, who is one person to all agents', () => {
  const [seven, nine] = ['Dad opens the pool at 7:00.', 'Dad opens the pool at 9:30.'];
  const of = (role: string, agentId: string, name: string | null = null): Speaker => ({ role, agentId, name });
  expect(vetoes(read(seven, of('assistant', 'ann')), read(nine, of('assistant', 'bob')))).toEqual([]);
  expect(vetoes(read(seven, of('user', 'ann')), read(nine, of('user', 'bob')))).toEqual([]);
  expect(vetoes(read(seven, of('user', 'ann', 'Mel')), read(nine, of('user', 'ann', 'Zoe')))).toEqual([
    'other_speaker',
  ]);
});

test('a claim out of a long answer of an assistant is an explanation', () => {
  const long = `The Alder pool opens at 7:00 on working days. ${'The water of the lake is warm in the summer months. '.repeat(8)}`;
  const pool = (role: string) =>
    statementsOf(long, { role, agentId: 'ann' }).find(({ text }) => text.includes('Alder')) as Statement;
  const claim = read('The Alder pool opens at 9:30 on working days.', BOB);
  expect(vetoes(pool('assistant'), claim)).toEqual(['answer']);
  expect(vetoes(claim, pool('assistant'))).toEqual(['answer']);
  expect(vetoes(pool('user'), claim)).toEqual([]);
});

describe('two lists of values', () => {
  const some = <T>(all: readonly T[]) => fc.subarray([...all]);
  const apart = <T>(a: readonly T[], b: readonly T[]) =>
    a.length > 0 && b.length > 0 && !a.some((one) => b.includes(one));

  test('of years or of incidents in other words speak of other ones exactly when both name some and share none', () => {
    const years = some([2019, 2020, 2021]);
    const incidents = some(['INC-12', 'INC-13', 'INC-14']);
    fc.assert(
      fc.property(years, years, incidents, incidents, (y1, y2, i1, i2) => {
        const text = (place: string, inYears: number[], of: string[]) => `${place}: ${[...inYears, ...of].join(', ')}.`;
        const found = between(text('Pool', y1, i1), text('Lake', y2, i2));
        expect(found.includes('other_time')).toBe(apart(y1, y2));
        expect(found.includes('other_identifier')).toBe(apart(i1, i2));
      }),
    );
  });

  test('of days count only beside a number that differs', () => {
    const days = some(['Monday', 'Tuesday', 'Friday']);
    fc.assert(
      fc.property(days, days, fc.constantFrom(70, 90), fc.constantFrom(70, 90), (d1, d2, n1, n2) => {
        const text = (on: string[], guests: number) =>
          `The pool had ${guests} guests ${on.map((day) => `on ${day}`).join(' and ')}.`;
        expect(between(text(d1, n1), text(d2, n2)).includes('other_time')).toBe(apart(d1, d2) && n1 !== n2);
      }),
    );
  });

  test('of identifiers of two kinds speak of other ones only within a kind', () => {
    expect(between('INC-12 broke the pool.', 'PR-13 broke the pool.')).toEqual([]);
    expect(between('INC-12 and PR-7 broke the pool.', 'INC-12 and PR-8 broke the pool.')).toEqual(['other_identifier']);
  });
});
