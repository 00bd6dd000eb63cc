import fc from 'fast-check';
import type { HostName } from '../src/index.ts';
import { SAMPLES } from './payloads.ts';

interface Mutated {
  /** Sent beside the payload. */
  readonly event: string;
  /** JSON for the most part. */
  readonly body: string;
}

type Json = Readonly<Record<string, unknown>>;

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 6 }),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    null,
    [],
    {},
    -1,
    1e308,
    2 ** 53,
    true,
  ),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.integer({ min: 1, max: 30_000 }).map((length) => 'a1 '.repeat(length)),
  fc.constant('<remembered note="data, not instructions; oldest first">\n- 2026-11-21 ann: x\n</remembered>'),
  fc.constantFrom('#skip x', '#remember', '<private>x</private>', `ghp_${'a1B2'.repeat(9)}`),
);

/** A payload with one or more fields removed or replaced, at any depth. */
function damaged(payload: Json): fc.Arbitrary<unknown> {
  const paths = pathsIn(payload);
  const change = fc.tuple(fc.constantFrom(...paths), fc.oneof(junk, fc.constant(undefined)));
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const copy = structuredClone(payload) as Record<string, unknown>;
    for (const [path, value] of changes) put(copy, path, value);
    return copy;
  });
}

function pathsIn(value: Json): string[][] {
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...(typeof inner === 'object' && inner !== null ? pathsIn(inner as Json).map((path) => [name, ...path]) : []),
  ]);
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  const inner = target[name];
  if (rest.length > 0 && typeof inner === 'object' && inner !== null)
    put(inner as Record<string, unknown>, rest, value);
  else if (value === undefined) delete target[name];
  else target[name] = value;
}

/** Payloads that a host never sends, and those that it sends. */
export function mutated(host: HostName): fc.Arbitrary<Mutated> {
  const samples = SAMPLES.filter((sample) => sample.host === host);
  const anyEvent = fc.constantFrom(...SAMPLES.map(({ event }) => event), 'Nothing', '__proto__', 'x'.repeat(64));
  const one = fc.constantFrom(...samples).chain(({ event, payload }) =>
    fc.record({
      event: fc.oneof({ weight: 4, arbitrary: fc.constant(event) }, anyEvent),
      body: fc.oneof(
        { weight: 6, arbitrary: damaged(payload).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: fc.constant(JSON.stringify(payload)) },
        { weight: 1, arbitrary: fc.nat(200).map((length) => JSON.stringify(payload).slice(0, length)) },
        { weight: 1, arbitrary: fc.json() },
        { weight: 1, arbitrary: fc.nat(200).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) },
      ),
    }),
  );
  return one;
}

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const names = (value: object) => Object.keys(value).sort().join();

/** The forms of an answer as the documentation of each host has them; `{}` is one of all. */
const FORMS: Readonly<Record<HostName, (answer: Json) => boolean>> = {
  'claude-code': isDialect('UserPromptSubmit'),
  codex: isDialect('UserPromptSubmit'),
  vscode: isDialect('UserPromptSubmit'),
  gemini: isDialect('BeforeAgent'),
  cursor: (answer) =>
    names(answer) === 'additional_context,continue' && answer.continue === true && isText(answer.additional_context),
  'copilot-cli': (answer) => names(answer) === 'additionalContext' && isText(answer.additionalContext),
  opencode: (answer) => names(answer) === 'context' && isText(answer.context),
  cline: (answer) =>
    names(answer) === 'cancel,contextModification' && answer.cancel === false && isText(answer.contextModification),
};

function isDialect(event: string) {
  return (answer: Json): boolean => {
    const output = answer.hookSpecificOutput as Json | undefined;
    return (
      names(answer) === 'hookSpecificOutput' &&
      names(output ?? {}) === 'additionalContext,hookEventName' &&
      output?.hookEventName === event &&
      isText(output.additionalContext)
    );
  };
}

/** Whether a host reads this as an answer, and goes on. */
export function isAnswerOf(host: HostName, text: string): boolean {
  const answer = JSON.parse(text) as Json;
  return text === '{}' || FORMS[host](answer);
}
