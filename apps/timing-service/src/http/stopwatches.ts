import { type Caller, projectScope } from '@agent-faculties/agent-identity';
import type { Handlers } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import type { StopwatchName } from '../domain/stopwatch.ts';
import {
  deleteStopwatch,
  readStopwatch,
  type StopwatchDeps,
  startStopwatch,
  stopStopwatch,
} from '../domain/stopwatch-control.ts';
import { stopwatchView } from '../wire/views.ts';
import { requireVisible } from './visible-name.ts';

type StopwatchOperations = 'startStopwatch' | 'stopStopwatch' | 'getStopwatch' | 'deleteStopwatch' | 'listStopwatches';

export function stopwatchHandlers(deps: StopwatchDeps): Pick<Handlers<operations>, StopwatchOperations> {
  const { clock, stopwatches } = deps;
  return {
    startStopwatch: async ({ path, caller, recordWrite }) => {
      requireVisible(path.name, 'path/name');
      const { stopwatch, restarted } = await startStopwatch(deps, nameOf(caller, path));
      recordWrite('stopwatches', [path.name]);
      return { status: 200, body: { ...stopwatchView(stopwatch, clock.now()), restarted } };
    },
    stopStopwatch: async ({ path, caller, recordWrite }) => {
      const stopwatch = await stopStopwatch(deps, nameOf(caller, path));
      recordWrite('stopwatches', [path.name]);
      return { status: 200, body: stopwatchView(stopwatch, clock.now()) };
    },
    getStopwatch: async ({ path, caller }) => {
      const stopwatch = await readStopwatch(deps, nameOf(caller, path));
      return { status: 200, body: stopwatchView(stopwatch, clock.now()) };
    },
    deleteStopwatch: async ({ path, caller, recordWrite }) => {
      await deleteStopwatch(deps, nameOf(caller, path));
      recordWrite('stopwatches', [path.name]);
      return { status: 200, body: { deleted: path.name } };
    },
    listStopwatches: async ({ caller }) => {
      const nowMs = clock.now();
      const list = await stopwatches.list({ agentId: caller.agentId, project: projectScope(caller) });
      return { status: 200, body: { stopwatches: list.map((stopwatch) => stopwatchView(stopwatch, nowMs)) } };
    },
  };
}

function nameOf(caller: Caller, { name }: { readonly name: string }): StopwatchName {
  return { agentId: caller.agentId, project: projectScope(caller), name };
}
