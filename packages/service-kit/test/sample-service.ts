import { Writable } from 'node:stream';
import {
  createMetrics,
  createServiceApp,
  type Handlers,
  openContract,
  type ServiceApp,
  type ServiceAppOptions,
} from '../src/http.ts';
import { createLog, type LogLevel, ManualClock, timeOrderedIds } from '../src/index.ts';

/** What openapi-typescript makes of sample-service.openapi.yaml, cut to what the handlers need. */
export interface SampleOperations {
  getHealth: { responses: { 200: { content: { 'application/json': { status: string } } } } };
  listThings: {
    parameters: {
      query?: { limit?: number; ratio?: number; q?: string; since?: string; tag?: string[]; agent_id?: string };
    };
    responses: {
      200: { content: { 'application/json': { query: unknown; agent_id: string; session_id: string | null } } };
    };
  };
  getActiveThings: { responses: { 200: { content: { 'application/json': { active: boolean } } } } };
  getThing: {
    parameters: { path: { name: string } };
    responses: { 200: { content: { 'application/json': { name: string } } } };
  };
  startThing: {
    parameters: { path: { name: string } };
    responses: { 200: { content: { 'application/json': { started: string } } } };
  };
  getLevel: {
    parameters: { path: { level: number } };
    responses: { 200: { content: { 'application/json': { level: number } } } };
  };
  changeLevel: {
    parameters: { path: { level: number } };
    requestBody: { content: { 'application/json': { count?: number } } };
    responses: { 200: { content: { 'application/json': { body: unknown } } } };
  };
  createThing: {
    requestBody: {
      content: {
        'application/json': {
          name: string;
          count?: number;
          agent_id?: string;
          session_id?: string;
          metadata?: unknown;
        };
      };
    };
    responses: {
      200: { content: { 'application/json': { body: unknown; agent_id: string; session_id: string | null } } };
    };
  };
}

export interface Sample {
  readonly app: ServiceApp;
  readonly clock: ManualClock;
  /** Parsed log lines. */
  readonly lines: Record<string, unknown>[];
}

export const CONTRACT = new URL('./sample-service.openapi.yaml', import.meta.url);

export const SAMPLE_HANDLERS: Handlers<SampleOperations> = {
  getHealth: () => ({ status: 200, body: { status: 'ok' } }),
  listThings: ({ query, caller }) => ({
    status: 200,
    body: { query: { ...query }, agent_id: caller.agentId, session_id: caller.sessionId },
  }),
  getActiveThings: () => ({ status: 200, body: { active: true } }),
  getThing: ({ path }) => ({ status: 200, body: { name: path.name } }),
  changeLevel: ({ body }) => ({ status: 200, body: { body } }),
  startThing: ({ path }) => ({ status: 200, body: { started: path.name } }),
  getLevel: ({ path }) => ({ status: 200, body: { level: path.level } }),
  createThing: ({ body, caller }) => ({
    status: 200,
    body: { body, agent_id: caller.agentId, session_id: caller.sessionId },
  }),
};

/** A service with one operation of each kind, a clock that stands still and a log that is kept. */
export function createSample(
  changes: {
    handlers?: Partial<Handlers<SampleOperations>>;
    options?: Partial<ServiceAppOptions<SampleOperations>>;
    level?: LogLevel;
  } = {},
): Sample {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5));
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const app = createServiceApp<SampleOperations>({
    contract: openContract(CONTRACT, { validateResponses: true }),
    handlers: { ...SAMPLE_HANDLERS, ...changes.handlers },
    log: createLog({ name: 'sample', level: changes.level ?? 'info', destination }),
    metrics: createMetrics({ processMetrics: false }),
    clock,
    ids: timeOrderedIds(clock),
    defaultAgentId: 'default',
    bodyLimitBytes: 64 * 1024,
    allowAnyAgent: new Set(['listThings']),
    ...changes.options,
  });
  return { app, clock, lines };
}
