import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { routeOf } from '../contract/route-of.ts';

export interface Metrics {
  /** The application's own, so that two applications in one process do not share counters. */
  readonly registry: Registry;
  readonly middleware: RequestHandler;
  /** GET /metrics in the Prometheus text format. */
  readonly handler: RequestHandler;
}

/** Seconds. Most answers take a millisecond; the upper ones are for imports and a starved machine. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** A client that went away before there was an answer; nginx has the number for it. */
const CLIENT_CLOSED = 499;

/** Gauges under the names of counters; the same is there by type, under proper names. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export interface MetricsOptions {
  /** What runs, for agent_faculties_build_info. */
  readonly build?: { readonly service: string; readonly version: string };
  /** Process and event-loop metrics; on unless tests create many applications. */
  readonly processMetrics?: boolean;
}

export function createMetrics({ build, processMetrics = true }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (processMetrics) {
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
  }
  if (build) {
    const labels = { ...build, node_version: process.version };
    new Gauge({
      name: 'agent_faculties_build_info',
      help: 'Always 1; the labels say what runs',
      labelNames: Object.keys(labels),
      registers: [registry],
    }).set(labels, 1);
  }
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that are not answered yet, open event streams among them',
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer; 499 when the client was gone before it began',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    middleware(req, res, next) {
      const start = performance.now();
      inFlight.inc();
      res.once('close', () => {
        inFlight.dec();
        const status = res.headersSent ? res.statusCode : CLIENT_CLOSED;
        const labels = { method: req.method, route: routeOf(req) ?? 'unmatched', status };
        durations.observe(labels, (performance.now() - start) / 1000);
      });
      next();
    },
    async handler(_req, res) {
      res.type(registry.contentType).send(await registry.metrics());
    },
  };
}
