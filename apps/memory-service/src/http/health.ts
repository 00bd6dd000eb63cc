import type { Clock, Handlers } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';

export interface HealthDeps {
  readonly clock: Clock;
  readonly version: string;
}

const MS_PER_SECOND = 1000;

/** The start of the service is the moment of this call. */
export function healthHandlers({ clock, version }: HealthDeps): Pick<Handlers<operations>, 'getHealth'> {
  const startedAtMs = clock.now();
  return {
    getHealth: () => {
      // A wall clock that was set back must not show a negative uptime.
      const uptimeMs = Math.max(0, clock.now() - startedAtMs);
      return {
        status: 200,
        body: { status: 'ok', version, uptime_seconds: Math.round(uptimeMs) / MS_PER_SECOND },
      };
    },
  };
}
