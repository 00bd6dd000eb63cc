import { EventEmitter } from 'node:events';
import { ManualClock } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { Callers } from '../../src/http/callers.ts';

test.each([
  ['/recall', true],
  ['/events/stream', false],
])('while %s is under way, background work waits: %s', (path, waits) => {
  const clock = new ManualClock(1_000_000);
  const callers = new Callers(clock);
  const response = new EventEmitter();
  callers.note({ path } as Request, response as unknown as Response, () => {});
  clock.advance(60_000);
  expect(callers.areActive()).toBe(waits);
  response.emit('close');
  expect(callers.areActive()).toBe(waits);
  clock.advance(100);
  expect(callers.areActive()).toBe(false);
});
