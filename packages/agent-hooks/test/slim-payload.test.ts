import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMarks, slimPayload } from '../src/index.ts';
import { SAMPLES } from './payloads.ts';

test.each(SAMPLES.map(({ host, event, payload }) => [host, event, payload] as const))(
  'a payload of %s, %s, stays as it is, without ids that would name who asks',
  (_host, _event, payload) => {
    const { agent_id: _agent, ...rest } = payload as Record<string, unknown>;
    expect(slimPayload(payload)).toEqual(rest);
  },
);

test('what a tool wrote is cut, and what is said is kept longer', () => {
  const long = 'x'.repeat(300_000);
  const told = `${'x'.repeat(4_000)}y\n${'z'.repeat(290)}\nExit Code: 3`;
  expect(slimPayload({ tool_response: { llmContent: told } })).toEqual({
    tool_response: { llmContent: `${'x'.repeat(4_000)}\nExit Code: 3` },
  });
  const slim = slimPayload({ prompt: long, tool_response: { stdout: long }, agent_id: 'a' });
  expect(slim).toEqual({ prompt: 'x'.repeat(100_000), tool_response: { stdout: 'x'.repeat(4_000) } });
});

test('of a prompt that nobody is to keep its mark alone stays, and all of a reply that names the mark', () => {
  const words = 'The vault opens with 4711. #SKIP';
  const said = { prompt: words, userPromptSubmit: { prompt: words } };
  expect(slimPayload(said)).toEqual({ prompt: '#skip', userPromptSubmit: { prompt: '#skip' } });
  const others = { text: words, last_assistant_message: words, stdout: words };
  expect(slimPayload(others)).toEqual(others);
  expect(slimPayload({ prompt: 'What is #skipping?' })).toEqual({ prompt: 'What is #skipping?' });
});

test('a cut leaves no half of a character', () => {
  expect(slimPayload({ stdout: `${'x'.repeat(3_999)}😀` })).toEqual({ stdout: 'x'.repeat(3_999) });
});

test('however large a payload is, at most 500 of its values are looked at', () => {
  let looks = 0;
  const watched = (size: number) =>
    new Proxy(
      Array.from({ length: size }, (_, i) => i),
      {
        get: (target, name) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) looks++;
          return Reflect.get(target, name) as unknown;
        },
      },
    );
  slimPayload({ a: watched(100_000), b: watched(100_000) });
  expect(looks).toBeLessThanOrEqual(503);
});

test('any JSON becomes one that is not deep', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
      expect(depthOf(slimPayload({ value }))).toBeLessThanOrEqual(9);
    }),
    { seed: 3 },
  );
});

test.each([
  ['#skip what is this?', { skips: true, remembers: false, text: 'what is this?' }],
  ['The window is Tuesday. #remember', { skips: false, remembers: true, text: 'The window is Tuesday.' }],
  ['#SKIP', { skips: true, remembers: false, text: '' }],
  ['a#skip, #skipping, ##skip', { skips: false, remembers: false, text: 'a#skip, #skipping, ##skip' }],
])('%s is read as %j', (prompt, marked) => {
  expect(readMarks(prompt)).toEqual(marked);
});
