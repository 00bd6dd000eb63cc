import { type Caller, projectScope } from '@agent-faculties/agent-identity';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import { plainName } from '../domain/plain-name.ts';
import type { StopwatchName } from '../domain/stopwatch.ts';
import {
  deleteStopwatch,
  readStopwatch,
  type StopwatchDeps,
  startStopwatch,
  stopStopwatch,
} from '../domain/stopwatch-control.ts';
import { stopwatchView } from '../wire/views.ts';
import { nameToAsk } from './plain-name.ts';

type StopwatchOperations = 'startStopwatch' | 'stopStopwatch' | 'getStopwatch' | 'deleteStopwatch' | 'listStopwatches';

export function stopwatchHandlers(deps: StopwatchDeps): Pick<Handlers<operations>, StopwatchOperations> {
  const { clock, stopwatches } = deps;
  /** Without blanks in its name that nobody sees, unless an earlier version kept one with them. */
  const whichOf = async (caller: Caller, { name }: { readonly name: string }): Promise<StopwatchName> => {
    const sent = { agentId: caller.agentId, project: projectScope(caller), name };
    const plain = { ...sent, name: plainName(name) };
    return plain.name === name || !(await stopwatches.find(sent)) ? plain : sent;
  };
  return {
    startStopwatch: async ({ path, caller, recordWrite }) => {
      nameToAsk(path.name, 'path/name');
      const which = await whichOf(caller, path);
      const { stopwatch, restarted } = await startStopwatch(deps, which);
      recordWrite('stopwatches', [which.name]);
      return { status: 200, body: { ...stopwatchView(stopwatch, clock.now()), restarted } };
    },
    stopStopwatch: async ({ path, caller, recordWrite }) => {
      const which = await whichOf(caller, path);
      const stopwatch = await stopStopwatch(deps, which);
      recordWrite('stopwatches', [which.name]);
      return { status: 200, body: stopwatchView(stopwatch, clock.now()) };
    },
    getStopwatch: async ({ path, caller }) => {
      const stopwatch = await readStopwatch(deps, await whichOf(caller, path));
      return { status: 200, body: stopwatchView(stopwatch, clock.now()) };
    },
    deleteStopwatch: async ({ path, caller, recordWrite }) => {
      const which = await whichOf(caller, path);
      await deleteStopwatch(deps, which);
      recordWrite('stopwatches', [which.name]);
      return { status: 200, body: { deleted: which.name } };
    },
    listStopwatches: async ({ caller }) => {
      const nowMs = clock.now();
      const list = await stopwatches.list({ agentId: caller.agentId, project: projectScope(caller) });
      return { status: 200, body: { stopwatches: list.map((stopwatch) => stopwatchView(stopwatch, nowMs)) } };
    },
  };
}
