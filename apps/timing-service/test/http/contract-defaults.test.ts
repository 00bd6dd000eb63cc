import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { DEFAULT_PERCENTILE, DEFAULT_SAFETY_MARGIN } from '../../src/domain/statistics/timeout-recommendation.ts';
import { DEFAULT_TREND_TASKS } from '../../src/domain/statistics/trend.ts';

interface Contract {
  readonly paths: Record<string, { get: { operationId: string; parameters: Parameter[] } }>;
}
interface Parameter {
  readonly name: string;
  readonly schema: { readonly default?: unknown };
}

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Contract;

function defaultOf(operationId: string, name: string): unknown {
  const operation = Object.values(contract.paths).find(({ get }) => get?.operationId === operationId);
  return operation?.get.parameters.find((parameter) => parameter.name === name)?.schema.default;
}

test.each([
  ['recommendTimeout', 'percentile', DEFAULT_PERCENTILE],
  ['recommendTimeout', 'safety_margin', DEFAULT_SAFETY_MARGIN],
  ['getTrend', 'limit', DEFAULT_TREND_TASKS],
])('the default of %s for %s is the one that the contract states', (operationId, name, value) => {
  expect(value).toBe(defaultOf(operationId, name));
});

test('the dashboard calls a task overdue past the default recommendation', () => {
  const source = readFileSync(new URL('../../src/dashboard/active/risk.js', import.meta.url), 'utf8');
  const [, margin] = /RECOMMENDED_MARGIN = ([\d.]+);/.exec(source) ?? [];
  expect(Number(margin)).toBe(DEFAULT_SAFETY_MARGIN);
});
