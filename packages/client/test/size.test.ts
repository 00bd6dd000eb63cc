import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/** Of the bundle, compressed: what a page loads for both clients. */
const LIMIT_BYTES = 8_000;

test('the client stays small', () => {
  const script = fileURLToPath(new URL('../size.mjs', import.meta.url));
  const said = execFileSync(process.execPath, [script, '--limit', String(LIMIT_BYTES)], { encoding: 'utf8' });
  expect(said).toMatch(/^both clients +\d+ bytes, \d+ compressed$/m);
});

test('the client imports nothing but itself', () => {
  const folder = new URL('../src/', import.meta.url);
  const imported = readdirSync(folder).flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^(?:import|export|\}).*\bfrom '([^']+)'/gm)].map(
      ([, from]) => from,
    ),
  );
  expect(imported.filter((from) => !from?.startsWith('./'))).toEqual([]);
  expect(imported.length).toBeGreaterThan(10);
});
