import { expect, test } from '@jest/globals';

type Labels = Record<string, string>;
interface Metrics {
  value(name: string, labels?: Labels): number;
  sum(ending: string): number;
  quantile(name: string, labels: Labels, share: number): number | null;
}
interface StageTimes {
  readonly operation: string;
  readonly stage: string;
  readonly count: number;
  readonly mean: number;
  readonly p95: number | null;
}

// Written for the browser, without types.
const fileOf = (name: string) => new URL(`../../../src/dashboard/health/${name}`, import.meta.url).href;
const { readMetrics }: { readMetrics(text: string): Metrics } = await import(fileOf('metrics-text.js'));
const { stageTimes }: { stageTimes(metrics: Metrics): StageTimes[] } = await import(fileOf('stage-times.js'));

// https://prometheus.io/docs/instrumenting/exposition_formats/
const metrics = readMetrics(`# HELP memory_messages_total Messages
# TYPE memory_messages_total counter
memory_messages_total{outcome="stored",note="a \\"quoted\\", one"} 7
memory_messages_total{outcome="duplicate"} 2
memory_redactions_total{type="key"} 3
other_redactions_total 1
memory_stage_duration_seconds_bucket{le="0.01",operation="recall",stage="scoring"} 90
memory_stage_duration_seconds_bucket{le="0.1",operation="recall",stage="scoring"} 96
memory_stage_duration_seconds_bucket{le="+Inf",operation="recall",stage="scoring"} 100
memory_stage_duration_seconds_sum{operation="recall",stage="scoring"} 2
memory_stage_duration_seconds_count{operation="recall",stage="scoring"} 100
`);

test('a value is that of all samples with these labels', () => {
  expect(metrics.value('memory_messages_total')).toBe(9);
  expect(metrics.value('memory_messages_total', { outcome: 'duplicate' })).toBe(2);
  expect(metrics.value('memory_messages_total', { outcome: 'refused' })).toBe(0);
  expect(metrics.sum('redactions_total')).toBe(4);
});

test('a quantile is the bound of its bucket, where there is one', () => {
  const of = { operation: 'recall', stage: 'scoring' };
  expect(metrics.quantile('memory_stage_duration_seconds', of, 0.9)).toBe(0.01);
  expect(metrics.quantile('memory_stage_duration_seconds', of, 0.95)).toBe(0.1);
  expect(metrics.quantile('memory_stage_duration_seconds', of, 0.99)).toBeNull();
  expect(metrics.quantile('memory_stage_duration_seconds', { operation: 'ingest' }, 0.5)).toBeNull();
});

test('stages are those that something went through', () => {
  expect(stageTimes(metrics)).toEqual([{ operation: 'recall', stage: 'scoring', count: 100, mean: 0.02, p95: 0.1 }]);
});
