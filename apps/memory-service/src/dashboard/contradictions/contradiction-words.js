/** What the fields of a contradiction are called on the page. */

export const REASONS = {
  negation: 'denied',
  antonym: 'opposite words',
  number: 'other number',
  date: 'other time',
  version: 'other version',
  name: 'other name',
  exclusive_choice: 'other choice',
  preference: 'other preference',
  state: 'other state',
};

export const STATE_WORDS = { open: 'undecided', resolved: 'decided', dismissed: 'both may stand' };
