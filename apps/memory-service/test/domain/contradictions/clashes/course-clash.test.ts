import { describe, expect, test } from '@jest/globals';
import { judge } from '../../../../src/domain/contradictions/pairs/judge.ts';
import { promisingPairs } from '../../../../src/domain/contradictions/pairs/promising-pairs.ts';
import { statementPair } from '../../../../src/domain/contradictions/pairs/statement-pair.ts';
import { type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

/** What clashes, as the model that gives it next to nothing has no say; null where it is no finding. */
function clashOf(a: string, b: string): { a: readonly string[]; b: readonly string[] } | null {
  const [first, second] = [a, b].map((text, at) => statementsOf(text, { role: null, agentId: `agent-${at}` })[0]);
  const { score, clash } = judge(statementPair(first as Statement, second as Statement), 0.04);
  return score >= 0.6 ? clash : null;
}

describe('one keeps what the other gives up', () => {
  test.each([
    ['We keep Stripe for payments.', 'We switch to Adyen for payments.', 'Stripe', 'Adyen'],
    ['Payments: we stay on Stripe.', 'Payments: we are moving to Adyen.', 'Stripe', 'Adyen'],
    ['For payments we keep Stripe.', 'Payments migrate to Adyen.', 'Stripe', 'Adyen'],
    ['We keep Stripe for payments.', 'Payments move to Adyen in March.', 'Stripe', 'Adyen'],
    ['The team stays with Jira.', 'The team is moving to Linear next month.', 'Jira', 'Linear'],
    ['We keep Stripe.', 'We are replacing Stripe with Adyen.', 'Stripe', 'Stripe'],
    ['We keep Stripe.', 'Payments: we move from Stripe to Adyen.', 'Stripe', 'Stripe'],
    ['We continue with the old supplier.', 'Gloves: we have dropped the old supplier.', 'old supplier', 'old supplier'],
    ['The choir stays on Wednesdays.', 'The choir moves to Mondays.', 'Wednesdays', 'Mondays'],
    ['The ward keeps paper charts.', 'The ward switches to electronic charts.', 'paper charts', 'electronic charts'],
    ['The children stay at Hill School.', 'The children change to Oak School.', 'Hill School', 'Oak School'],
  ])('%j and %j', (a, b, kept, other) => {
    expect(clashOf(a, b)).toEqual({ a: [kept], b: [other] });
    expect(clashOf(b, a)).toEqual({ a: [other], b: [kept] });
  });
});

test('two courses of one team need no more words in common', () => {
  const [first, second] = ['The team stays with Jira.', 'The team is moving to Linear next month.'].map((text) =>
    statementsOf(text, { role: null }),
  );
  expect(promisingPairs(first ?? [], second ?? [], 0.3)).toHaveLength(1);
  expect(promisingPairs(first ?? [], statementsOf('The team meets on Mondays.', { role: null }), 0.3)).toEqual([]);
});

describe('both may hold', () => {
  test.each([
    ['of two things', 'We keep Stripe for payments.', 'We switch to Hetzner for hosting.'],
    ['of two places', 'We keep Stripe for payments in Europe.', 'In Asia we switch to Adyen for payments.'],
    ['of two teams', 'The team stays with Jira.', 'The design team is moving to Linear.'],
    ['of a product and a day', 'The newsletter stays on Mailchimp.', 'The newsletter moves to Thursdays.'],
    ['of two things of one owner', 'The ward keeps goats.', 'The ward switches to electronic charts.'],
    ['of what is kept for a time', 'We keep the logs for 30 days.', 'We drop the logs.'],
    ['of what is kept so', 'We keep the tests green.', 'We drop the old tests.'],
    ['of one person', 'Kim stays in the team.', 'Kim moves to the north office.'],
    ['where it is asked', 'We keep Stripe for payments.', 'Should we switch to Adyen for payments?'],
    ['where it is supposed', 'We keep Stripe.', 'If the fees rise, we replace Stripe with Adyen.'],
    ['where it is denied', 'We keep Stripe for payments.', 'We do not switch to Adyen for payments.'],
    ['of a wish', 'We keep Stripe for payments.', 'Adyen wants us to move payments to Adyen.'],
    ['where both keep', 'We keep Stripe for payments.', 'We stay on Stripe for payments.'],
  ])('%s', (_, a, b) => {
    expect([clashOf(a, b), clashOf(b, a)]).toEqual([null, null]);
  });

  test('where one speaker changes their mind', () => {
    const said = (text: string) => statementsOf(text, { role: null, agentId: 'ann' })[0] as Statement;
    const [kept, left] = ['We keep Stripe for payments.', 'We switch to Adyen for payments.'].map(said);
    expect(judge(statementPair(kept as Statement, left as Statement), 0.04).score).toBeLessThan(0.6);
  });

  test('where the newer one tells of the change', () => {
    expect(clashOf('We keep Stripe for payments.', 'We have switched to Adyen for payments.')).toBeNull();
  });
});
