import { expect, test } from '@jest/globals';
import { readStatement } from '../../../../src/domain/recall/replacement/read-statement.ts';
import {
  addsOneThing,
  endsIt,
  hintsAtChange,
  isSettled,
  namesReplacedValue,
  tellsOfChange,
} from '../../../../src/domain/recall/replacement/tells-of-change.ts';

const statements = (older: string, change: string) => ({ older: readStatement(older), change, read: readStatement });

test.each([
  ['We now use Helix.', true],
  ['Helix instead of Vim.', true],
  ['She lives there no longer.', true],
  ['From Monday on it is Bob.', true],
  ['Bob took over the bar.', true],
  ['The bar was handed over to Bob.', true],
  ['Since this morning the bar is closed.', true],
  ['As of today the bar is closed.', true],
  ['Since May the bar is closed.', false],
  ['We raised the fee to 5.', true],
  ['Down to 5 kilos.', true],
  ['Bob retired, I go to Ann.', true],
  ['Bob gave the key to Ann.', true],
  ['From the first of May on Ann runs the bar.', true],
  ['The demo was put off to May.', true],
  ['As of 3 May Ann runs the bar.', true],
  ['Set the log level to warn.', true],
  ['The cat refuses Whiskas.', true],
  ['Sentry is out.', true],
  ['The piano tuner wants 110 this time.', true],
  ['SHOP-101 was reassigned to Bob.', true],
  ['SHOP-101 was assigned to Bob.', false],
  ['We sit out in the sun.', false],
  ['They set the table.', false],
  ['The lift goes up and down.', false],
  ['We know Helix.', false],
  ['Bob runs the bar.', false],
])('%j tells of a change: %p', (text, expected) => {
  expect(tellsOfChange(text)).toBe(expected);
});

test.each([
  ['We now use Helix.', true],
  ['New code on the box: 9026.', true],
  ["From the 29th the room's 15.", true],
  ['From August: Rein und Klar, same days.', true],
  ['24 hours from May.', true],
  ['Takes it from February till July.', false],
  ['Open from 8 to 12.', false],
  ['Camp from 5 July - 12 July.', false],
  ['60 was too low for the schools.', true],
  ['Make it 13.', true],
  ['Back down a bit: 90.', true],
  ['Then Thursday, same hour.', true],
  ['Two euros then.', true],
  ['If it rains, then we stay in.', false],
  ['Hollen closed its mill.', true],
  ['The shop is closed on Mondays.', false],
  ['Change of plan, 20 to 31 July.', true],
  ['No, a week later.', true],
  ['There is no week later.', false],
  ['Make the day 9 minutes.', true],
  ['Halothane to 10, isoflurane stays.', true],
  ['Twelve it is, weekdays stay', true],
  ['12 stays.', false],
  ['12 euros stays, nobody grumbled.', false],
  ['She stays in the cellar.', false],
])('%j hints at a change: %p', (text, expected) => {
  expect(hintsAtChange(text)).toBe(expected);
});

test.each([
  ['The room is 15 from May.', true],
  ['60 was too low, now it is 120.', true],
  ['The room might be 15 from May.', false],
  ['Maybe we move to Bled.', false],
  ["Let's go for fifteen.", false],
  ['Tomasz handles travel too.', false],
  ['Tomasz handles travel, too', false],
  ['Tomasz also handles travel.', false],
])('%j is settled: %p', (text, expected) => {
  expect(isSettled(text)).toBe(expected);
});

test.each([
  ['Billing has moved to Bob.', true],
  ['Bob Lee takes over billing.', true],
  ['Billing moves to Bob, because the letters take Ann all day.', true],
  ['Billing: Bob instead of Ann.', true],
  ['Bob is now the owner of search.', false],
  ['Bob moved to Rome, Ann keeps billing.', false],
  ['Billing now sends letters.', false],
  ['Billing moved to Bob and sends letters.', false],
  ['Billing moved to the cellar.', false],
  ['Ann no longer owns billing.', false],
  ['Now it is Bob.', false],
])('all that %j adds to the owner of billing is one name: %p', (newer, expected) => {
  const told = statements('Ann owns billing, she is the owner.', newer);
  expect(addsOneThing('other', new Set(['owner', 'bill']), told)).toBe(expected);
});

test.each([
  ['We raised the fee to 155.', true],
  ['We raised the fee to 155, because the hall costs 900 now.', true],
  ['We raised the fee to 155, since the hall wants a new roof.', true],
  ['We raised the fee to 155 so that Ann gets a piano. The choir sings.', false],
  ['We raised the fee to 155, but the choir sings for nothing.', false],
  ['Fee: down to 120 now.', true],
  ['It went up to 155.', false],
  ['We raised the fee to 140.', false],
  ['We raised the fee of the choir to 155.', false],
  ['We raised the fee from 140 to 155.', false],
  ['We raised the fee.', false],
])('all that %j adds to the fee is one other number: %p', (change, expected) => {
  const told = statements('The membership fee is 140 a year.', change);
  expect(addsOneThing('number', new Set(['membership']), told)).toBe(expected);
});

test.each([
  ['Late fees are 5 euros.', 'No late fees any more.', true],
  ['Rent that comes late costs a fee.', 'There are no late fees any more.', true],
  ['We ship on Fridays.', 'We no longer ship on Fridays since the strike.', true],
  ['make ship uploads it.', 'From Monday the make ship is removed.', true],
  ['The backup server is atlas.', 'The old backup job was removed.', false],
  ['The backup runs at 3:00.', 'Bob no longer runs the backup of the wiki.', false],
  ['The printer on floor 2 is a Brother.', 'The printer on floor 3 was removed.', false],
  ['The meeting on Thursday is about hiring.', 'The meeting on Wednesday was cancelled.', false],
  ['Coffee in the canteen costs 2 euros.', 'Tea is no longer sold in the canteen.', false],
  ['The backup runs at 3:00.', 'The search box is gone.', false],
])('of %j, %j says that it is so no more: %p', (older, newer, expected) => {
  const question = new Set(['late', 'fee', 'ship', 'backup', 'printer', 'meet', 'coffee', 'canteen']);
  expect(endsIt(question, readStatement(older), newer)).toBe(expected);
});

test.each([
  ['Grass: Wednesday, 85 a visit.', 'We come on Thursdays instead of Wednesdays.', true],
  ['Grass: Wednesday, 85 a visit.', 'We come on Thursdays, not on Wednesdays.', true],
  ['Grass: Wednesday, 85 a visit.', 'We come from Wednesday to Thursday now.', false],
  ['Grass: Wednesday, 85 a visit.', 'We come on Thursdays instead of Fridays.', false],
  ['Grass: Wednesday, 85 a visit.', 'We come on Thursdays.', false],
  ['Grass: Wednesday, 85 a visit.', 'We come on Wednesdays instead of Thursdays.', false],
  ['Grass: Wednesday, 85 a visit.', 'We take 95, not 85.', false],
])('%j - %j names the weekday that it takes the place of: %p', (older, change, expected) => {
  const told = { older: readStatement(older), newer: readStatement(change) };
  expect(namesReplacedValue('weekday', told, change)).toBe(expected);
});
