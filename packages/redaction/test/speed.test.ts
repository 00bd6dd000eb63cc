import { describe, expect, test } from '@jest/globals';
import { findSecrets, withoutPrivate } from '../src/index.ts';

const CHARACTERS = 200_000;
/** A text that is quadratic in any pattern takes seconds; the exact bound of 50 ms is measured by bench/redaction. */
const MOST_MS = 500;

const PARTS = [
  'sk-',
  'token=',
  'password ',
  'password for ',
  'password is ',
  'eyJaaaaa.',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nabcd',
  '://',
  '://a:',
  'https://a:b/c@d/e@',
  '<private>',
  '</private>',
  '<   ',
  'ghp_',
  'a',
  'password="',
  "password='a ",
  'cookie: a=',
  'bearer ',
  'authorization: ',
  'basic abcdefgh',
  'abc1Q~',
  'key',
  'api key ',
  'secret_',
  'pwd',
  'token a1',
  'password:\n "',
  'password=&',
  '\\nsk-',
  '%20sk-',
  'curl -u a:bc',
  'xoxb-1',
  'password[',
  'password\\\\\\"',
  'passwordIs',
  'token\n',
  'eyJhbGci.eyJhbGci',
  'x1y2z3 is the password ',
  'use a as the password ',
  'Tokenizer',
  '--password ',
  '<password>',
  'password("',
  `${'0a1b2c3d'.repeat(4)}-us`,
  '123456789:AA',
];

describe('a text of 200,000 characters', () => {
  test.each(PARTS)('that repeats %j is read in linear time', (part) => {
    const text = part.repeat(Math.ceil(CHARACTERS / part.length)).slice(0, CHARACTERS);
    const start = process.cpuUsage();
    findSecrets(text);
    withoutPrivate(text);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(MOST_MS);
  });
});
