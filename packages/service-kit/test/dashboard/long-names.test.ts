import { expect, test } from '@jest/globals';

// Written for the browser, without types.
const FILE = new URL('../../dashboard/shared/long-names.js', import.meta.url).href;
const { refuseLongNames }: { refuseLongNames(names: Record<string, string | null | undefined>): void } = await import(
  FILE
);

test('a name of more than 128 characters is refused in words for a reader', () => {
  expect(() => refuseLongNames({ agent: 'ann', project: 'x'.repeat(129) })).toThrow(
    'No project has a name of more than 128 characters: choose another one',
  );
});

test('a name of 128 characters, whatever they take, and none at all are not', () => {
  expect(() => refuseLongNames({ agent: '\u{1F600}'.repeat(128), project: null, event: undefined })).not.toThrow();
});
