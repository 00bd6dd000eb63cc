import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { routeOf } from './route-of.ts';

export interface Metrics {
  /** The application's own, so that two applications in one process do not share counters. */
  readonly registry: Registry;
  readonly middleware: RequestHandler;
  /** GET /metrics in the Prometheus text format. */
  readonly handler: RequestHandler;
}

/** Seconds. Most answers take a millisecond; the upper ones are for imports and a starved machine. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface MetricsOptions {
  /** Process and event-loop metrics; on unless tests create many applications. */
  readonly processMetrics?: boolean;
}

export function createMetrics({ processMetrics = true }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    middleware(req, res, next) {
      const start = performance.now();
      res.once('close', () => {
        const labels = { method: req.method, route: routeOf(req) ?? 'unmatched', status: res.statusCode };
        durations.observe(labels, (performance.now() - start) / 1000);
      });
      next();
    },
    async handler(_req, res) {
      res.type(registry.contentType).send(await registry.metrics());
    },
  };
}
