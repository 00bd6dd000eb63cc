import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { dropPrivate, maskSecrets } from '../src/index.ts';

test('the example of the README gives what it says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  const lines = code.trim().split('\n');
  const steps = lines.map((line) => line.replace(/^(.*); \/\/ (.*)$/, 'told.push([$1, $2]);'));
  const told: [unknown, unknown][] = [];
  new Function('told', 'maskSecrets', 'dropPrivate', steps.join('\n'))(told, maskSecrets, dropPrivate);
  expect(told).toHaveLength(lines.length - 1);
  for (const [given, said] of told) expect(given).toEqual(said);
});
