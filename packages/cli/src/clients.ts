import {
  type ClientOptions,
  type MemoryClient,
  memoryClient,
  type TimingClient,
  timingClient,
} from '@agent-faculties/client';
import type { Invocation } from './command.ts';

export interface Clients {
  readonly memory: MemoryClient;
  readonly timing: TimingClient;
}

/** Clients of both services, made from the settings; Ctrl-C aborts their calls. */
export function clientsOf(
  { edge, settings }: Pick<Invocation, 'edge' | 'settings'>,
  options: Pick<ClientOptions, 'timeoutMs' | 'maxRetries'> = {},
): Clients {
  const common: ClientOptions = {
    ...options,
    agentId: settings.agentId ?? undefined,
    sessionId: settings.sessionId ?? undefined,
    project: settings.project ?? undefined,
    space: settings.space ?? undefined,
    key: settings.key ?? undefined,
    fetch: (input, init) =>
      edge.fetch(input, { ...init, signal: AbortSignal.any([edge.signal, ...(init?.signal ? [init.signal] : [])]) }),
    runtime: { now: edge.clock.now, sleep: edge.pause },
  };
  return {
    memory: memoryClient({ ...common, url: settings.memoryUrl }),
    timing: timingClient({ ...common, url: settings.timingUrl }),
  };
}
