import {
  type Clock,
  createServiceApp,
  type IdSource,
  type Logger,
  loadSpec,
  type Metrics,
} from '@agent-faculties/service-kit';
import type { Express } from 'express';
import type { operations } from './api.gen.ts';
import type { Config } from './config.ts';
import { healthHandlers } from './http/health.ts';

export interface AppDeps {
  readonly config: Pick<Config, 'agentId' | 'bodyLimitBytes'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  /** For tests and development. */
  readonly validateResponses: boolean;
}

/** Joins the parts into an Express app that never listens. */
export function createApp({ config, version, ...deps }: AppDeps): Express {
  return createServiceApp<operations>({
    ...deps,
    spec: loadSpec(new URL('../openapi.yaml', import.meta.url)),
    handlers: healthHandlers({ clock: deps.clock, version }),
    defaultAgentId: config.agentId,
    bodyLimitBytes: config.bodyLimitBytes,
    allowAnyAgent: new Set(),
  });
}
