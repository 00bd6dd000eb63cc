import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clashesOf } from '../../../../src/domain/contradictions/clashes/clashes-of.ts';
import { overlapOf } from '../../../../src/domain/contradictions/statements/overlap.ts';
import { phrasesAt, type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

const statement = (text: string, role: string | null = null) => statementsOf(text, { role })[0] as Statement;

function found(a: string, b: string, role: string | null = null) {
  const [one, other] = [statement(a, role), statement(b, role)];
  return clashesOf(one, other, overlapOf(one, other)).map(({ reason, strength, a: mine, b: theirs }) => [
    reason,
    strength,
    phrasesAt(one, mine),
    phrasesAt(other, theirs),
  ]);
}

describe('the clashes of two statements', () => {
  test.each<[string, string, unknown[]]>([
    ['Rack 7 takes 5 minutes.', 'Rack 7 takes 10 minutes.', [['number', 0.9, ['5 minutes'], ['10 minutes']]]],
    // The same quantity in another unit.
    ['It takes 300 seconds.', 'It takes 5 minutes.', []],
    // Numbers without a unit may count different things.
    ['The team has 5.', 'The team has 10.', [['number', 0.5, ['5'], ['10']]]],
    // The other text says what a bare number counts.
    ['Word count: 48,000.', 'It has 62,000 words.', [['number', 0.5, ['48,000'], ['62,000']]]],
    ['Three depots still have it.', 'Contact at the Rostock depot is Frau Petersen, extension 314.', []],
    // Nobody rounds a year.
    ['It ends in 2027.', 'It ends in 2029.', [['date', 0.9, ['2027'], ['2029']]]],
    ['It opens at 2 pm.', 'It opens at 2:10 pm.', [['date', 0.9, ['2 pm'], ['2:10 pm']]]],
    // Both name it, so they agree on it.
    ['It takes 5 or 10 minutes.', 'It takes 10 minutes.', []],
    [
      'Kestrel runs v2.4.1.',
      'Kestrel runs v2.5.0.',
      [
        ['version', 0.9, ['v2.4.1'], ['v2.5.0']],
        // A version looks like a name, too.
        ['name', 0.4, ['v2.4.1'], ['v2.5.0']],
      ],
    ],
    ['The pool is open.', 'The pool is closed.', [['antonym', 0.7, ['open'], ['closed']]]],
    // A double negation affirms.
    ['The pool is not open.', 'The pool is not closed.', [['antonym', 0.7, ['open'], ['closed']]]],
    ['The pool is not open.', 'The pool is closed.', []],
    ['I love hiking.', 'I hate hiking.', [['preference', 0.5, ['love'], ['hate']]]],
    ['Nordend pool has a lift.', 'Nordend pool has a lift.', []],
    // What is preferred to what.
    [
      'Ann prefers trains to planes.',
      'Ann would rather take planes than trains.',
      [['preference', 0.7, ['trains', 'planes'], ['planes', 'trains']]],
    ],
    ['Ann prefers trains to planes.', 'Ann would rather take trains than planes.', []],
    ['Ann prefers trains to planes.', 'Ann prefers trains to ships.', []],
    // What is paid is not owed.
    ['The rent of May is paid.', 'The rent of May is overdue.', [['antonym', 0.7, ['paid'], ['overdue']]]],
    ['The client is supported.', 'The client was dropped.', [['antonym', 0.7, ['supported'], ['dropped']]]],
    // "Costs nothing" denies that it costs.
    ['The pool is free.', 'The pool costs nothing.', []],
    ['The pool is free.', 'The pool costs 5 euros.', [['antonym', 0.7, ['free'], ['costs']]]],
    // How often, and how long in other units.
    [
      'The index is rebuilt nightly.',
      'The index is rebuilt every week.',
      [['number', 0.9, ['nightly'], ['every week']]],
    ],
    ['The index is rebuilt nightly.', 'The index is rebuilt once a day.', []],
    ['Logs are kept for 90 days.', 'Logs are kept for one year.', [['number', 0.9, ['90 days'], ['one year']]]],
    ['Logs are kept for 90 days.', 'Logs are kept for three months.', []],
    // The opposites of comparatives.
    ['The pool is bigger.', 'The pool is smaller.', [['antonym', 0.7, ['bigger'], ['smaller']]]],
    // Words that tell two things apart are not what is said of them.
    ['The north gate is locked.', 'The south gate is unlocked.', [['antonym', 0.7, ['locked'], ['unlocked']]]],
    // Units are no names.
    ['node-17 has a disk of 2 TB.', 'node-17 has a disk of 2,000 GB.', []],
    ['It takes half an hour.', 'It takes 30 minutes.', []],
    ['It takes half an hour.', 'It takes 15 minutes.', [['number', 0.9, ['half an hour'], ['15 minutes']]]],
    // Who may and who may not.
    ['Smoking is forbidden here.', 'You may smoke here.', [['antonym', 0.7, ['forbidden'], ['may']]]],
    ['Smoking is allowed here.', 'You may not smoke here.', [['negation', 0.7, ['Smoking'], ['not smoke']]]],
    // Both say that there is none.
    ['Smoking is forbidden here.', 'You may not smoke here.', [['negation', 0.3, ['Smoking'], ['not smoke']]]],
    ['Training got cancelled.', 'There is no training.', [['negation', 0.3, ['Training'], ['no training']]]],
    // "2.9" is a version where the other text says one.
    ['Stable is 3.1.4.', 'Stable is 2.9.', [['version', 0.5, ['3.1.4'], ['2.9']]]],
    // One thing is given something else; the less sure, the more words one says of it beside.
    ['payroll contact: Ingrid', 'Joao is the payroll contact.', [['name', 0.9, ['Ingrid'], ['Joao']]]],
    ['package manager: pnpm', 'package manager: yarn', [['exclusive_choice', 0.9, ['pnpm'], ['yarn']]]],
    ['The key is in the drawer.', 'key: under the mat', [['state', 0.9, ['drawer'], ['mat']]]],
    ['The key is in the drawer.', 'The shed key is under the mat.', [['state', 0.7, ['drawer'], ['mat']]]],
    ['The key is in the drawer.', 'The key is in the left drawer.', []],
    ['The office is in Berlin.', 'The office is on the third floor.', [['state', 0.7, ['Berlin'], ['third floor']]]],
    ['The office is in Berlin.', 'The office is near the station.', []],
    ['The office is near the port.', 'The office is near the station.', [['state', 0.9, ['port'], ['station']]]],
    ['The server is in the cellar.', 'The server is behind the proxy.', [['state', 0.7, ['cellar'], ['proxy']]]],
    ['The key is in the drawer.', 'The letter is under the mat.', []],
    // What one gives it the other says too, in another place.
    ['The mask is on loan to Vienna.', 'The mask is in Vienna on loan.', []],
    ['The key hangs behind the barn door.', 'The key is on the hook behind the door of the barn.', []],
    // A place may lie in a country.
    ['The server is in Frankfurt.', 'The server is in Germany.', []],
    ['The server is in Frankfurt.', 'The server is in the EU.', []],
    ['The server is in Turkey.', 'The server is in Izmir.', []],
    ['Our client moved from Rome to Oslo.', 'Our client moved from Rome to Norway.', []],
    ['The server is in France.', 'The server is in Germany.', [['name', 0.9, ['France'], ['Germany']]]],
    [
      'The pump is owned by Ann.',
      'The pump is owned by Jordan.',
      [
        ['name', 0.9, ['Ann'], ['Jordan']],
        ['name', 0.4, ['Ann'], ['Jordan']],
      ],
    ],
    // Who does it.
    [
      'The phone is answered by Farida.',
      'The phone is answered by Kwame.',
      [
        ['name', 0.9, ['Farida'], ['Kwame']],
        ['name', 0.4, ['Farida'], ['Kwame']],
      ],
    ],
    // Two own or lead one thing, in whatever form.
    ['Ann owns the pump.', 'Bob owns the pump.', [['name', 0.9, ['Ann'], ['Bob']]]],
    ['Ann Lee leads the audit.', 'The audit is led by Bob.', [['name', 0.9, ['Ann Lee'], ['Bob']]]],
    ['The manager of Oak Hill is Ann.', 'Bob is the manager of Oak Hill.', [['name', 0.9, ['Ann'], ['Bob']]]],
    // A short name, another thing, another role, one of several things, nobody by name.
    ['Ann Lee owns the pump.', 'The pump is owned by Ann.', []],
    ['Ann owns the pump.', 'Bob owns the barge.', []],
    ['Ann owns the pump.', 'Bob manages the pump.', []],
    ['Ann owns a flat.', 'Bob owns a flat.', []],
    ['She owns the pump.', 'Bob owns the pump.', []],
    ['Everyone owns the pump.', 'Bob owns the pump.', []],
    ['It is owned by Ann.', 'It is owned by Bob.', []],
    ['Half of it is owned by Ann.', 'Half of it is owned by Bob.', [['name', 0.4, ['Ann'], ['Bob']]]],
    ['Ann owns two barges.', 'Bob owns two barges.', []],
    ['Ann owns cats.', 'Bob owns cats.', []],
    ['Ann owns Acme shares.', 'Bob owns Acme shares.', []],
    ['Ann leads her own life.', 'Bob leads her own life.', []],
    // The verb says something else.
    ['Ann heads to the pump.', 'Bob heads to the pump.', []],
    ['Ann heads home.', 'Bob heads home.', []],
    ['Ann manages to mend the pump.', 'Bob manages to mend the pump.', []],
    ['Ann leads by example.', 'Bob leads by example.', []],
    // A name is one thing.
    ['Ann leads Oak Hill.', 'The leader of Oak Hill is Bob.', [['name', 0.9, ['Ann'], ['Bob']]]],
    // One may have followed the other.
    ['Ann led the audit.', 'Bob leads the audit.', []],
    // What is denied first is not what the other side says: no other office is denied.
    [
      'Ann is not the treasurer of the club.',
      'Ann is the secretary of the club.',
      [['negation', 0.3, ['not', 'club'], ['club']]],
    ],
  ])('%j and %j', (a, b, clashes) => {
    expect(found(a, b)).toEqual(clashes);
    expect(found(b, a)).toEqual(
      clashes.map((clash) => {
        const [reason, strength, mine, theirs] = clash as unknown[];
        return [reason, strength, theirs, mine];
      }),
    );
  });

  test('of two users that speak of themselves weigh more', () => {
    expect(found('I love hiking.', 'I hate hiking.', 'user')).toEqual([['preference', 0.7, ['love'], ['hate']]]);
  });

  test('come strongest first', () => {
    const words = [
      'the',
      'pool',
      'open',
      'closed',
      'not',
      '5',
      '7',
      'minutes',
      'Ann',
      'Bob',
      'v1.2',
      'v1.3',
      'love',
      'hate',
    ];
    const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map((some) => some.join(' '));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const strengths = found(a, b).map(([, strength]) => strength as number);
        expect(strengths).toEqual([...strengths].sort((x, y) => y - x));
        expect(strengths.every((strength) => strength > 0 && strength <= 1)).toBe(true);
      }),
    );
  });
});
