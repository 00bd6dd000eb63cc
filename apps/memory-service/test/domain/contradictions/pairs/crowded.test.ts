import { expect, test } from '@jest/globals';
import { asOneOfCrowd } from '../../../../src/domain/contradictions/pairs/crowded.ts';
import { statementPair } from '../../../../src/domain/contradictions/pairs/statement-pair.ts';
import { type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

const statements = (text: string) => statementsOf(text, { role: null, agentId: 'ann' });
const first = (text: string) => statements(text)[0] as Statement;

function isCrowded(a: string, b: string, near: readonly string[]): boolean {
  return asOneOfCrowd(statementPair(first(a), first(b)), near.flatMap(statements)).vetoes.includes('crowded');
}

const ONE_WORD = ['Jonas is here, first day.', 'Let Jonas help.'] as const;
const THREE_WORDS = ['The fire station roof carries panels.', 'Panels for the fire station came broken.'] as const;
const ALSO_PANELS = [
  'The panels of the fire station were chosen by Maud.',
  'The fire station needs offers for its panels.',
  'The city pays a part of the panels of the fire station.',
];

test('one word in common is no subject where two others have it and say something else', () => {
  const others = ['Jonas drives the tractor home.', 'The office waits for Jonas.'];
  expect(isCrowded(...ONE_WORD, others)).toBe(true);
  expect(isCrowded(...ONE_WORD, others.slice(1))).toBe(false);
  expect(isCrowded(...ONE_WORD, ['The office waits for Milo.', 'Milo drives the tractor home.'])).toBe(false);
});

test('where nothing clashes, several words in common are none where three others have all of them', () => {
  expect(isCrowded(...THREE_WORDS, ALSO_PANELS)).toBe(true);
  expect(isCrowded(...THREE_WORDS, ALSO_PANELS.slice(1))).toBe(false);
  expect(isCrowded('The fire station has 120 panels.', 'The fire station has 90 panels.', ALSO_PANELS)).toBe(false);
});

test('who repeats what one of both says is no other one', () => {
  const others = ['Jonas: first day.', 'On his first day Jonas is here.', 'Jonas may help.'];
  expect(isCrowded(...ONE_WORD, others)).toBe(false);
});

test('two that say the same but for what clashes have one subject, whoever else speaks of it', () => {
  const others = [
    'Who books the offsite trains?',
    'Offsite budget: three large boxes.',
    'Ann packs games for the offsite.',
  ];
  expect(isCrowded('The offsite is in Porto.', 'The offsite is in Rome.', others)).toBe(false);
});

test('the parts of one message are one', () => {
  expect(isCrowded(...ONE_WORD, ['Jonas drives the tractor home, and Jonas cleans the office windows.'])).toBe(false);
});
