import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { routeOf } from '../contract/route-of.ts';

export interface Metrics {
  /** One registry per application, so that two in one process do not share counters. */
  readonly registry: Registry;
  readonly middleware: RequestHandler;
  /** GET /metrics in the Prometheus text format. */
  readonly handler: RequestHandler;
}

/** Seconds. Most answers take a millisecond; the upper buckets are for imports and overloaded machines. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The status of nginx for a client that left before the answer. */
const CLIENT_CLOSED = 499;

/** Gauges of prom-client with names of counters; the same values exist by type, under proper names. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export interface MetricsOptions {
  /** Name and version, for agent_faculties_build_info. */
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
      help: 'Always 1; the labels name the service and its version',
      labelNames: Object.keys(labels),
      registers: [registry],
    }).set(labels, 1);
  }
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in progress, open event streams included',
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer; status 499 when the client left before the answer',
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
