import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROBLEM_CODES } from '../../../packages/service-kit/src/index.ts';
import { HOME } from './real-gateway.ts';

const sent = [...readFileSync(join(HOME, 'problems.conf'), 'utf8').matchAll(/return (\d{3}) '(\{.*\})\\n';/g)].map(
  ([, status, document]) => ({ sentAs: Number(status), ...JSON.parse(document as string) }),
);

describe('problem documents of the gateway', () => {
  test('stand in docs/errors.md, and no others do', () => {
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    const section = page.split(/^## /m).find((part) => part.startsWith('Gateway\n')) ?? '';
    const rows = [...section.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \| (.+?) \| .+ \|$/gm)].map(
      ([, code, status, title]) => [code, status, title].join(' | '),
    );
    const own = sent.filter(({ code }) => !Object.hasOwn(PROBLEM_CODES, code));
    const documents = new Set(own.map(({ code, status, title }) => [code, status, title].join(' | ')));
    expect(rows.sort()).toEqual([...documents].sort());
    const named = new Set([...section.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code));
    expect(sent.filter(({ code }) => !named.has(code))).toEqual([]);
  });

  test('have the fields of those of the services, and say what to do', () => {
    expect(sent.length).toBeGreaterThan(15);
    for (const { sentAs, type, title, status, detail, code, request_id, ...more } of sent) {
      expect([status, type, request_id, more]).toEqual([sentAs, `urn:agent-faculties:problem:${code}`, '$rid', {}]);
      expect([typeof title, detail.length > 20 || detail.startsWith('$')]).toEqual(['string', true]);
    }
  });

  test('mean under a code of the services the same status and title', () => {
    const common = sent.filter(({ code }) => Object.hasOwn(PROBLEM_CODES, code));
    expect(common.length).toBeGreaterThan(5);
    for (const { code, status, title } of common) {
      expect(PROBLEM_CODES[code as keyof typeof PROBLEM_CODES]).toMatchObject({ status, title });
    }
  });
});
