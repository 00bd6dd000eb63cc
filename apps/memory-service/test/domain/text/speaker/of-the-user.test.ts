import { expect, test } from '@jest/globals';
import { asUserSays, isOfUser } from '../../../../src/domain/text/speaker/of-the-user.ts';

test.each([
  ['User prefers tabs over spaces.', 'I prefer tabs over spaces.'],
  ["The user's name is Katrin.", 'my name is Katrin.'],
  ['User’s manager is Helen; ask the user’s team.', 'my manager is Helen; ask my team.'],
  ['User is vegan and the user has two cats.', 'I am vegan and I have two cats.'],
  ['- User was born on 4 May.', '- I was born on 4 May.'],
  ['user does not like emojis', 'I do not like emojis'],
  ['User no longer goes to Graz.', 'I no longer go to Graz.'],
  ['User goes to Graz.', 'I go to Graz.'],
  ['User always prefers tabs.', 'I always prefer tabs.'],
  ['User also studies law and is always late.', 'I also study law and is always late.'],
  ["User can't eat nuts.", "I can't eat nuts."],
  ['Prefers dark mode.', 'I Prefer dark mode.'],
])('%j is of the user, who says %j', (note, said) => {
  expect(isOfUser(note)).toBe(true);
  expect(asUserSays(note)).toBe(said);
});

test.each([
  'User stories 12 and 13 are done.',
  'User accounts are stored in Postgres.',
  'The user table has 3 columns.',
  'User interface: dark.',
  'Ask before the user leaves.',
  'User can reset the password.',
  'The user is redirected to /login.',
  'User must confirm the address.',
  'Lives in apps/memory.',
  'Users like tabs.',
  'Runs on port 8080.',
  'I prefer tabs.',
  `User likes tea. ${'It rains. '.repeat(60)}`,
  '',
])('%j is of something else, and stays as it is', (text) => {
  expect(isOfUser(text)).toBe(false);
  expect(asUserSays(text)).toBe(text);
});
