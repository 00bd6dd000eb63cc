import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const PACKAGE = new URL('../../', import.meta.url);

test('the page lies where the sources and where the built service look for it', () => {
  const source = readFileSync(new URL('src/http/dashboard.ts', PACKAGE), 'utf8');
  const folder = /folder: new URL\('([^']+)'/.exec(source)?.[1] ?? '';
  for (const place of ['src/http/dashboard.ts', 'dist/http/dashboard.js']) {
    const page = new URL(`${folder}/index.html`, new URL(place, PACKAGE));
    expect(`${place}: ${existsSync(page)}`).toBe(`${place}: true`);
  }
});
