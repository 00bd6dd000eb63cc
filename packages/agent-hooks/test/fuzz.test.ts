import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  callKey,
  callLikeness,
  HOST_NAMES,
  HOSTS,
  slimPayload,
  stampKey,
  taskTypeOf,
  turnKey,
  wordsKey,
} from '../src/index.ts';
import { isAnswerOf, mutated } from './mutated-payloads.ts';

const MOST_PER_HOST = 1_000;

test.each(HOST_NAMES)('whatever %s sends is read, and answered in its form', (host) => {
  let read = 0;
  fc.assert(
    fc.property(mutated(host), ({ event: name, body }) => {
      const value = parsed(body);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const event = HOSTS[host].read(slimPayload(value as Readonly<Record<string, unknown>>), name);
      if (event === null) return;
      read++;
      const sent = { host, event };
      if (event.kind === 'tool_started' || event.kind === 'tool_ended') {
        expect(taskTypeOf(event.call)).toMatch(/^[\p{L}\p{M}\p{N}_.:/+ &-]{1,128}$/u);
        for (const key of [callKey(sent, event.call), callLikeness(sent, event.call)])
          expect(key ?? 'hook-').toMatch(/^hook-[\w-]{0,20}$/);
      }
      if (event.kind === 'prompt') {
        expect(event.text.trim()).not.toBe('');
        expect(isAnswerOf(host, JSON.stringify(HOSTS[host].withContext(event, 'It is late.')))).toBe(true);
        expect(wordsKey(sent, { role: 'user', text: event.text })).toMatch(/^hook-/);
      }
      for (const key of [turnKey(sent), stampKey(sent, 'x')]) expect(key ?? 'hook-').toMatch(/^hook-/);
    }),
    { seed: 4, numRuns: MOST_PER_HOST },
  );
  expect(read).toBeGreaterThan(MOST_PER_HOST / 10);
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
