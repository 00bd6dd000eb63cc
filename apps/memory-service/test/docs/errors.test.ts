import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEM_CODES, type ProblemKind } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { MEMORY_PROBLEM_CODES } from '../../src/errors.ts';

const PAGE = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

/** Rows `code | status | title | meaning` under a heading of the page, by code. */
function documented(heading: string): Record<string, ProblemKind> {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.matchAll(/^\| `(?<code>[a-z_]+)` \| (?<status>\d{3}) \| (?<title>.+?) \| (?<meaning>.+) \|$/gm);
  return Object.fromEntries(
    [...rows].map(({ groups }) => [
      groups?.code ?? '',
      { status: Number(groups?.status), title: groups?.title ?? '', meaning: groups?.meaning ?? '' },
    ]),
  );
}

describe('docs/errors.md', () => {
  test('says of the codes of the memory service what the code says, and of no other', () => {
    expect(documented('Memory service')).toEqual(MEMORY_PROBLEM_CODES);
  });

  test('has the title that is sent: the one of the common code of the same status', () => {
    const titles = (kinds: Readonly<Record<string, ProblemKind>>) =>
      new Set(Object.values(kinds).map(({ status, title }) => `${status} ${title}`));
    const common = titles(PROBLEM_CODES);
    expect([...titles(MEMORY_PROBLEM_CODES)].filter((title) => !common.has(title))).toEqual([]);
  });

  test('has every code that the service throws, and none that it does not', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const thrown = new Set(
      files.flatMap((file) =>
        [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/\bcode: '([a-z_]+)'/g)].map(
          ([, code]) => code as string,
        ),
      ),
    );
    const known: Record<string, ProblemKind> = { ...PROBLEM_CODES, ...MEMORY_PROBLEM_CODES };
    expect([...thrown].filter((code) => !(code in known))).toEqual([]);
    expect(Object.keys(MEMORY_PROBLEM_CODES).filter((code) => !thrown.has(code))).toEqual([]);
  });
});
