import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { readQuestion } from '../../../../src/domain/recall/question/question.ts';
import { toldInRecord } from '../../../../src/domain/recall/relevance/told-in-record.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

const isTold = (query: string, content: string, turn = 0.5) =>
  toldInRecord(readQuestion(query, { speakers: NO_SPEAKERS, now: 0 }))({
    evidence: { turn },
    stored: { memory: { content } },
  } as Candidate);

const HOST = '{"host": "db-3", "ip": "10.0.0.12", "rack": "R2"}';
const CUSTOMER = 'customer: Acme | plan: Free | seats: 110 | owner: Ann';
const SERVICE = 'service: billing\nport: 9000\nowner: Maria';

test.each([
  ['What is the IP address of db-3?', HOST],
  ['Which rack is db-3 in?', HOST],
  ['Who owns the Acme account?', CUSTOMER],
  ['How many seats does Acme have?', CUSTOMER],
  ['Which port does billing listen on?', SERVICE],
  ['Who owns billing?', SERVICE],
  ['What host does auth connect to?', '[auth] host = 10.1.1.6'],
  ['What is the target temperature of the attic?', 'home.attic.target_temperature = 19'],
  ['What is the IP address of db-3?', 'db-3: ip=10.0.0.12 rack=R2'],
  ['What is the memory limit of billing?', 'billing:\n  image: billing:2.1\n  memory: 512m'],
  ['Who is assigned to the blank tiles?', 'summary: blank map tiles; assignee: Omar'],
  ['Who edits the wiki?', 'page: wiki | editor: Ann | state: draft'],
  // Words of the time that the question names need not be told.
  ['Who owned billing last week?', SERVICE],
  ['What are the args of run_tests?', 'tool=run_tests args=apps/web result=212'],
])('%j is told in the record %j', (query, record) => {
  expect(isTold(query, record)).toBe(true);
  // Nothing is told where nothing of it has a word of the question.
  expect(isTold(query, record, 0)).toBe(false);
});

test.each([
  // Another thing, or nothing but the thing.
  ['What is the IP address of db-9?', HOST],
  ['How many seats does Globex have?', CUSTOMER],
  ['What is the phone number of Acme?', CUSTOMER],
  ['Which kernel does db-3 run?', HOST],
  ['What is the port of billing server 9?', 'server: billing | port: 80 | state: up'],
  // What is asked is no key.
  ['What has Maria to do with billing?', SERVICE],
  // Two keys name no thing.
  ['Which port has the service?', SERVICE],
  // Two words are said otherwise.
  ['Which port does billing listen on for metrics?', SERVICE],
  // Prose behind a heading, with a verb or without, no record, or one of too much.
  ["What is the name of Leo's school?", 'School shoes bought for Leo: size 12, black, velcro.'],
  [
    'In which year was the firm founded?',
    'Firm: Brandt Joinery, five people. Samira is in her second year of learning with us there.',
  ],
  ['Who owns billing?', 'Maria is the owner and does billing'],
  ['Who owns billing?', `${SERVICE}\nnote: ${'it is long, '.repeat(90)}`],
])('%j is not told in %j', (query, text) => {
  expect(isTold(query, text)).toBe(false);
});
