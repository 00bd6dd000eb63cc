import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEM_CODES, type ProblemKind } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { TIMING_PROBLEM_CODES } from '../../src/errors.ts';

const KNOWN: Readonly<Record<string, ProblemKind>> = { ...PROBLEM_CODES, ...TIMING_PROBLEM_CODES };
const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

/** Rows `code | status | title | meaning` of the page, by code. */
function documented(): Map<string, Omit<ProblemKind, 'status'> & { status: number }> {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `(?<code>[a-z_]+)` \| (?<status>\d{3}) \| (?<title>.+?) \| (?<meaning>.+) \|$/gm);
  return new Map(
    [...rows].map(({ groups }) => [
      groups?.code ?? '',
      { status: Number(groups?.status), title: groups?.title ?? '', meaning: groups?.meaning ?? '' },
    ]),
  );
}

describe('docs/errors.md', () => {
  test.each(Object.entries(KNOWN))('says of %s what the code says', (code, kind) => {
    expect(documented().get(code)).toEqual(kind);
  });

  test('lists each code of the timing service once, and no code twice', () => {
    const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
    const codes = [...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('has every code that the service throws', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const thrown = files.flatMap((file) =>
      [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/\bcode: '([a-z_]+)'/g)].map(([, code]) => code as string),
    );
    expect(thrown.length).toBeGreaterThan(8);
    expect([...new Set(thrown)].filter((code) => !(code in KNOWN))).toEqual([]);
    const unused = Object.keys(TIMING_PROBLEM_CODES).filter((code) => !thrown.includes(code));
    expect(unused).toEqual([]);
  });
});
