import { ApiError } from '@agent-faculties/client';
import { EXIT_FAILED } from '@agent-faculties/service-kit/exit-codes';
import { type Clients, clientsOf } from '../clients.ts';
import { CommandError, defineCommand } from '../command.ts';
import { isNewSpace } from '../new-space.ts';
import { counted, duration } from '../print.ts';
import type { Settings } from '../settings.ts';

const OTHER_SERVICE = 'another service answers there: MEMORY_URL and TIMING_URL may be exchanged.';
const LIMITS = { timeoutMs: 5_000, maxRetries: 0 };

export const command = defineCommand({
  name: 'status',
  summary: 'Whether both services answer, and what they hold',
  usage: '[options]',
  takesWords: false,
  options: {},
  run: async (invocation) => {
    const { edge, settings, json } = invocation;
    const clients = clientsOf(invocation, LIMITS);
    const states = await Promise.all([
      stateOf('memory', settings.memoryUrl, () => memoryState(clients, settings)),
      stateOf('timing', settings.timingUrl, () => timingState(clients)),
    ]);
    edge.signal.throwIfAborted();
    const lines = states.map(({ service, url, problem, said }) => `${service}  ${url}  ${problem ?? said}\n`);
    edge.out(json ? `${JSON.stringify({ services: states.map(({ said, ...state }) => state) })}\n` : lines.join(''));
    return states.every(({ problem }) => problem === null) ? 0 : EXIT_FAILED;
  },
});

async function stateOf(service: string, url: URL, ask: () => Promise<{ health: object; said: string }>) {
  try {
    return { service, url: url.href, problem: null, ...(await ask()) };
  } catch (error) {
    const problem = error instanceof ApiError ? `answers ${error.message}` : (error as Error).message;
    return { service, url: url.href, problem, health: null, said: '' };
  }
}

async function memoryState({ memory }: Clients, settings: Settings) {
  const health = await memory.getHealth();
  if (typeof health.memories !== 'number') throw new CommandError(OTHER_SERVICE);
  const { version, uptime_seconds, memories, embedding, contradictions, persistence } = health;
  const nothingKept = isNewSpace(settings, health) ? 'nothing is stored in this space yet' : 'nothing is kept on disk';
  const parts = [
    `version ${version}, up ${duration(uptime_seconds)}`,
    counted(memories, 'memory', 'memories'),
    embedding.model === null ? 'no embedding model' : `embedding by ${embedding.model}`,
    contradictions.pending > 0 ? `${counted(contradictions.pending, 'memory', 'memories')} to compare` : '',
    persistence.data_dir ?? nothingKept,
  ];
  return { health, said: parts.filter(Boolean).join('; ') };
}

async function timingState({ timing }: Clients) {
  const health = await timing.getHealth();
  if (typeof health.database !== 'object') throw new CommandError(OTHER_SERVICE);
  const { active_tasks } = await timing.listActiveTasks();
  const { version, uptime_seconds, database } = health;
  const running = active_tasks.length === 0 ? 'no task runs' : `${counted(active_tasks.length, 'task')} running`;
  return { health, said: `version ${version}, up ${duration(uptime_seconds)}; ${running}; ${database.path}` };
}
