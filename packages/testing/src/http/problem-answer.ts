import { expect } from '@jest/globals';
import type { Response } from 'supertest';

/** Expects a 4xx problem document that says what to do. @param note names the request in a failure */
export function expectProblem(
  answer: Response,
  note: string,
  { status }: { readonly status?: number | undefined } = {},
) {
  const problem = answer.type === 'application/problem+json' ? JSON.parse(answer.text) : { text: answer.text };
  expect({ note, class: Math.floor(answer.status / 100), type: answer.type, problem }).toMatchObject({
    note,
    class: 4,
    type: 'application/problem+json',
    problem: {
      status: answer.status,
      detail: expect.stringMatching(/.{20,}/s),
      code: expect.stringMatching(/^[a-z_]+$/),
    },
  });
  if (status !== undefined) expect([note, answer.status]).toEqual([note, status]);
}
