#!/usr/bin/env node
// Measures the cost of the search for secrets, and its false alarms on ordinary texts.
//   npm run bench:redaction [-- --texts FOLDER ...]     FOLDER: further texts in which false alarms are counted
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets, withoutPrivate } from '../../packages/redaction/dist/index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { ordinaryTexts } from './ordinary-texts.mjs';

const { texts: folders } = commandLine(import.meta.url, {
  options: { texts: { type: 'string', multiple: true, default: [] } },
}).values;
const TEXTS = 6_400;
const MESSAGE_CHARACTERS = 2_048;
const ROUNDS = 5;
const LONG_CHARACTERS = 200_000;
/** Of the long texts, the worst ones; one above the limit fails. */
const SHOWN = 8;
const MOST_MS = 100;
/** Parts that are repeated to long texts, on which a pattern that is not linear would be slow. */
const REPEATED = [
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
const READABLE = /\.(?:md|txt|json|jsonl|mjs|js|ts|py|ya?ml|sh|sql|html)$/;
const MOST_BYTES = 64 * 2 ** 20;

const texts = ordinaryTexts({ seed: 7, count: TEXTS }).map(({ text }) => text);
falseAlarms(`${TEXTS} ordinary texts of 33 kinds`, texts);
for (const folder of folders) falseAlarms(folder, textsOf(folder));
messages();
const longest = REPEATED.map(ofRepeated).sort((a, b) => b.ms - a.ms);
for (const { part, ms } of longest.slice(0, SHOWN))
  console.log(`200,000 characters of ${JSON.stringify(part)}: ${ms.toFixed(1)} ms`);
if (longest[0].ms > MOST_MS) process.exitCode = 1;

function falseAlarms(name, all) {
  const wrong = all.filter((text) => findSecrets(text).length > 0);
  console.log(
    `${name}: ${wrong.length} of ${all.length} masked (${((1_000 * wrong.length) / all.length).toFixed(2)} in 1,000)`,
  );
  for (const text of wrong.slice(0, 8)) {
    const [{ type, start, end }] = findSecrets(text);
    console.log(
      `   ${type}: ${JSON.stringify(text.slice(Math.max(0, start - 40), start))} > ${JSON.stringify(text.slice(start, end).slice(0, 60))}`,
    );
  }
}

/** Processor time of a message of 2 KiB of ordinary texts: the best of some rounds, because the machine may have other work. */
function messages() {
  const all = texts.join('\n');
  const parts = Array.from({ length: 400 }, (_, index) =>
    all.slice(index * MESSAGE_CHARACTERS, (index + 1) * MESSAGE_CHARACTERS),
  );
  const best = Math.min(...Array.from({ length: ROUNDS }, () => processorMs(() => parts.map(findSecrets))));
  console.log(`a message of 2 KiB: ${(best / parts.length).toFixed(4)} ms`);
}

function ofRepeated(part) {
  const text = part.repeat(Math.ceil(LONG_CHARACTERS / part.length)).slice(0, LONG_CHARACTERS);
  const search = () => {
    findSecrets(text);
    withoutPrivate(text);
  };
  return { part, ms: Math.min(...Array.from({ length: ROUNDS }, () => processorMs(search))) };
}

function processorMs(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The texts of a file: the strings of JSON, the lines of JSON Lines, and pieces of 2 KiB of any other file. */
function textsOf(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => READABLE.test(path) && statSync(path).isFile() && statSync(path).size < MOST_BYTES);
  return files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.json')) return stringsOf(JSON.parse(text));
    if (path.endsWith('.jsonl'))
      return text
        .split('\n')
        .filter(Boolean)
        .flatMap((line) => stringsOf(JSON.parse(line)));
    return text.match(/[\s\S]{1,2048}/g) ?? [];
  });
}

function stringsOf(value) {
  if (typeof value === 'string') return value.length > 20 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}
