import { expect, test } from '@jest/globals';
import {
  askedOf,
  kindAsked,
  owesValue,
  tellingTermsOf,
  tells,
  tellsOneOf,
  tellsRoughly,
  termsTell,
} from '../../../../src/domain/recall/question/asked-kind.ts';
import { termsOf } from '../../../../src/domain/text/words/terms.ts';

const isNoTime = { namesTime: false };
const tellingTerms = (text: string) => tellingTermsOf(text, [...new Set(termsOf(text))], isNoTime);
const isTold = (question: string, memory: string) => {
  const asked = askedOf(question);
  const ofKind = kindAsked(question, tellingTerms(question), asked);
  const telling = tellingTerms(question).filter((term) => term !== ofKind);
  const has = new Set(termsOf(memory));
  return (
    termsTell(question, telling, { asked, ...isNoTime }) &&
    telling.every((one) => has.has(one)) &&
    tells(asked, memory, telling) &&
    (ofKind === null || tellsOneOf(ofKind, memory, telling))
  );
};

test.each([
  ['How high is the rent?', ['rent']],
  ['Who makes the lunch?', ['lunch']],
  ['Did Joana measure anything?', ['joana', 'measur']],
  ['How many days are dumps kept?', ['dump', 'kept']],
  ['Who runs?', ['run']],
  ['What does Ada prefer?', ['ada']],
  ['What did Ada say about the lift?', ['ada', 'lift']],
  ['Which lift did Ada recommend?', ['lift', 'ada']],
  ['What does Ada know about the lift?', ['ada', 'lift']],
  ['What did Ada warn us of in the lift?', ['ada', 'lift']],
  ['Who knows the lift?', ['know', 'lift']],
  ['Who mentioned the lift?', ['lift']],
  ['Who asked for no spiders?', ['spider']],
  ['Who first proposed the lift?', ['first', 'lift']],
  ['Who was told about the lift?', ['told', 'lift']],
  ['Who recommended Kirsty?', ['recommend', 'kirsti']],
  ['Whose idea was the slope board?', ['slope', 'board']],
  ['Who asks for the lift?', ['ask', 'lift']],
  ['What does Ada cook?', ['ada', 'cook']],
  ['Who repairs the lift?', ['repair', 'lift']],
  ['How long did the outage last?', ['outag']],
  ['When was the last outage?', ['outag']],
  ['When was the boiler last serviced?', ['boiler', 'servic']],
  ["When's the next game?", ['game']],
  ['Who did the boiler last time?', ['boiler']],
  ['What was the last outage?', ['last', 'outag']],
  ["When is Ella's dentist appointment?", ['ella', 'dentist']],
  ['Whose appointment is it?', ['appoint']],
  ["What is Ann's email address?", ['ann']],
  ["What's the IP of staging?", ['stage']],
  ['What is the link to the design doc?', ['design', 'doc']],
  ['What is the email about the fee?', ['email', 'fee']],
  ['What kind of cake does Ada like?', ['cake', 'ada']],
  ['Which types of lift did Ada recommend?', ['lift', 'ada']],
  ['Ada was kind to whom?', ['ada', 'kind']],
  ['How much rent do we pay?', ['rent']],
  ['How much does the hotel pay?', ['hotel', 'pai']],
  ['What is the deadline of the security review?', ['secur', 'review']],
  ["What is the review's due date?", ['review']],
  ['time of the Monday check', ['mondai', 'check']],
  ['What is the response time of the API?', ['respons', 'time', 'api']],
  ['Who set the deadline?', ['set', 'deadlin']],
  ['What is the dog called?', ['dog']],
  ["What is Ada's dog's name?", ['ada', 'dog']],
  ['What does the hotel cost?', ['hotel']],
  ['How much did the brakes cost?', ['brake']],
  ['What is the price of the hotel?', ['hotel']],
  ["What is the hotel's price?", ['hotel']],
  ['Who sets the price?', ['set', 'price']],
  ['How much money is in the till?', ['till']],
  ['Which weekday do we release?', ['releas']],
  ['On which day is the hall cleaned?', ['hall', 'clean']],
  ['At what time does the courier come?', ['courier']],
  ['Which month was John in Italy?', ['john', 'itali']],
  ['What time zone are the servers in?', ['time', 'zone', 'server']],
  ['Which date format does the export have?', ['date', 'format', 'export']],
])('%j is about %j', (question, expected) => {
  expect(tellingTerms(question)).toEqual(expected);
});

test.each([
  ['What do stamps cost?', 'Stamps cost 95 cents.'],
  ['What does the hotel cost?', 'The hotel is Casa Bruno, 7 nights, 840 €.'],
  ['What is the price of the hotel?', 'Changed the hotel to Pensao Londres, 790 euros.'],
  ['How much did the brakes cost?', 'We paid 545 for the brakes.'],
  ['How high is the fence?', 'The fence is 180 cm.'],
  ['What is the dog called?', 'We have a dog, Bruno, who sleeps in the hall.'],
  ['What is the name of the dog?', 'Our dog is Bruno.'],
  ['What is the name of the feature flag?', 'The feature flag for the new checkout is checkout_v2.'],
  ['What is the server called?', 'The server is called heron.'],
  ['How much rent do we pay?', 'The rent for the shop is 1,850 euros a month.'],
  ['What is the deadline of the security review?', 'The security review by Kestrel is due on Friday 4 December.'],
  ['How long was the link down?', 'The link was down from 02:10 to 05:35.'],
  ['How long is Grandpa staying?', 'Grandpa comes on Friday and stays for three weeks.'],
  ['How long did the outage last?', 'The outage took 40 minutes.'],
  ['What kind of car does Bea drive to work?', 'Bea drives a red Volvo to work.'],
  ['What kind of cake does Ada like?', "It is Ada's birthday and we want a cake. She likes lemon."],
  ['Where is the lift?', 'The lift is behind the kitchen.'],
  ['What did Ada say about the lift?', 'Ada wants a lift with a mirror.'],
  ['Who makes the lunch?', 'Lunch is done by Ada.'],
  ['What does Ada prefer?', 'Ada likes the window open.'],
  ['What does Ada enjoy?', 'Ada is fond of chess.'],
  ['What does Ada hate?', "Ada can't stand mushrooms."],
  ['what do stamps cost', 'stamps cost 95 cents'],
  ['how much is the hotel', 'hotel: 790 euros'],
  ['when is our flight?', 'flight LH 1166 on 21 Nov 06:55'],
  ['How long is Bea on leave?', 'Bea is on leave till 15 Jan, then back in the kitchen.'],
  ['How long is the pool closed?', 'The pool is closed until the next season.'],
  ['What is the submission number?', 'Figures uploaded, submission number 2026-RP-99817.'],
  ["What's the door code?", 'The door code is 8812#.'],
  ['How much money is in the till?', 'There are 210 euros in the till.'],
  ['Which database does the shop use?', 'The shop uses Postgres 17 for its orders.'],
  ['Which database does the shop use?', 'The shop uses a graph database.'],
  ['Which framework will the blog move to?', 'The blog moves to Astro in the new year.'],
  ['What log format do we use?', 'All services use JSON logs.'],
  ['What language is tidepool written in?', 'Main repo is called tidepool, written in Go 1.22'],
  ['What does a sourdough cost?', 'A sourdough loaf went up from 4.20 to 4.50.'],
  ["What's the IP of staging?", 'The staging server is at 10.0.4.17, ssh user deploy.'],
  ['What is the IP address of the router?', 'Router: fe80::1'],
  ['What is the link to the design doc?', 'Design doc: https://docs.example/d/7'],
  ["What's the website of the plumber?", 'Plumber: okafor.example.com'],
  ["What is the plumber's phone number?", 'Plumber: +49 160 55 12 34'],
  ["What is the plumber's phone number?", 'Plumber, since 2026-12-03: 0160/551234'],
  ["What is the plumber's phone number?", 'Plumber: 0160-55-1234'],
  ['What is the IP address of the router?', 'Router: 10:30:00:1::'],
  ["What is the caterer's e-mail?", 'Caterer: orders@bread.example'],
])('%j is told by %j', (question, memory) => {
  expect(isTold(question, memory)).toBe(true);
});

test.each([
  ['What do stamps cost?', 'Stamps cost more than last year.'],
  ['What does the hotel cost?', 'The hotel has 40 rooms.'],
  ['What is the price of the hotel?', 'The hotel costs less than the other one.'],
  ['What is the feature flag called?', 'The feature flag for the checkout stays. It is Bruno who asked.'],
  ['What is the feature flag called?', 'The feature flag for Bruno stays off.'],
  ['When is Ada there?', 'Ada is the cook.'],
  ['when is ada there?', 'ada comes at 9:30'],
  ['What is the deadline of the security review?', 'The security review by Kestrel is free of charge.'],
  ['How old is Ada?', 'Ada wears size 38.'],
  ['What is the dog called?', 'The dog needs a vet in Graz by Friday.'],
  ['What is the vicar of St. Nicholas called?', 'The vicar of St. Nicholas keeps the keys.'],
  ['How much rent do we pay?', 'The rent is handed over in the kitchen.'],
  ['How much does the hotel pay?', 'The hotel has 40 rooms.'],
  ['Where is Ada?', 'Ada is the cook.'],
  ['What does Ada prefer?', 'Ada is the cook.'],
  ['Which database does the shop use?', 'Few people use the shop in the morning.'],
  ['How long is Bea on leave?', 'Bea is on leave, ask her until she is back.'],
  ['What is the submission number?', 'The submission number is missing.'],
  ['What is the number of guests?', 'The number of guests is as in room B2.'],
  ['How much money is in the till?', 'There are 3 spiders in the till.'],
  ['Which colour is the door?', 'The door sticks, tell Ada.'],
  ['Which company is our car insured with?', 'The insurance of our car is due on 17 July.'],
  ['What brand are the water meters?', 'The water meters count every 15 minutes.'],
  ['What does Ada hate?', 'Ada likes mushrooms.'],
  ['Who repairs the lift?', 'The lift is behind the kitchen.'],
  ["What's the IP of staging?", 'Staging runs version 10.4 on port 5433.'],
  ["What is the plumber's phone number?", 'The plumber comes on 12 May at 10:30.'],
  ["What's the IP of staging?", 'Staging went down at 10:30:00.'],
  ["What is the plumber's phone number?", 'The plumber comes on 2026-12-03 and 4.12.2026.'],
  ["What is the caterer's e-mail?", 'The caterer is on Instagram as @bread.'],
  ['What is the link to the design doc?', 'The design doc is ready. Ann reads it.'],
  ['where is ada', 'ada is the cook'],
])('%j is not told by %j', (question, memory) => {
  expect(isTold(question, memory)).toBe(false);
});

test.each([
  // The time makes up for the second word in a question for no value; where one is asked for, it is of another day.
  ['What is with Ada in May?', 'other', ['ada'], true],
  ['How many swimmers came in May?', 'number', ['swimmer', 'came'], false],
] as const)('the time in %j, which asks for a %s, tells with %j: %p', (question, asked, telling, expected) => {
  expect(termsTell(question, telling, { asked, namesTime: true })).toBe(expected);
  expect(termsTell(question, telling, { asked, ...isNoTime })).toBe(!expected);
});

test.each([
  ['What does Ada earn?', 'number'],
  ['What do members pay a year?', 'number'],
  ['What is her hourly wage?', 'number'],
  ['When is the fair?', 'date'],
  ['What does the fair cost?', 'price'],
  ["What is Ada's phone number?", 'phone'],
  ["What is Ada's email?", 'email'],
  ['What is the on-call phone number for Ada?', 'phone'],
  ['What is the budget for the website?', 'number'],
  ['What is the price of the phone?', 'price'],
  ['What is the colour of the phone?', null],
  ['What was the subject of the email?', null],
  ['What is wrong with the website?', null],
  ['What is the website for?', null],
  ['What does Ada sing?', null],
  ['Who pays Ada?', null],
  ['When did Ada move?', null],
  ['What does Ada prefer?', null],
])('what answers %j tells a %p', (question, value) => {
  const asked = askedOf(question);
  expect(owesValue(question, asked) ? asked : null).toBe(value);
});

test.each([
  ['number', 'Ada gets half of it.', false, true],
  ['price', 'The lift is free.', false, true],
  ['number', 'The lift costs nothing.', false, true],
  ['number', 'Ada gets some of it.', true, false],
  ['date', 'Ada gets half of it.', false, false],
  ['date', 'Ada gets it tomorrow.', true, true],
  ['date', 'Ada gets it on the third of each month.', true, true],
  ['date', 'Ada gets it within 14 days.', true, true],
  ['date', 'Ada gets the third of three.', false, false],
  ['span', 'The link was down from 02:10 to 05:35.', false, true],
  ['span', 'The link was down for a while.', false, false],
  ['number', 'The link was down from 02:10 to 05:35.', false, false],
  ['identifier', 'The spare key is in room B2.', false, false],
  ['identifier', 'The account is 220345.', false, true],
  ['clock', 'Ada comes on Mondays.', true, false],
  ['phone', 'Ada gets half of it at 12.', true, false],
  ['clock', 'Ada comes in the morning.', false, true],
] as const)('a %s is told by %j: %p', (asked, text, tellsTime, expected) => {
  expect(tellsRoughly(asked, text, { tellsTime })).toBe(expected);
});
