import { EXIT_FAILED } from '@agent-faculties/service-kit/exit-codes';
import { defineCommand, type Edge } from '../command.ts';
import type { Settings } from '../settings.ts';

const ANSWER_LIMIT_MS = 5_000;

interface State {
  readonly service: 'memory' | 'timing';
  readonly url: string;
  readonly isUp: boolean;
  /** What /health says, or why there is no answer. */
  readonly health: Record<string, unknown> | null;
  readonly problem: string | null;
}

export const command = defineCommand({
  name: 'status',
  summary: 'Whether both services answer, and what they hold',
  usage: '',
  options: {},
  run: async ({ edge, settings, json }) => {
    const states = await Promise.all([
      stateOf('memory', settings.memoryUrl, settings, edge),
      stateOf('timing', settings.timingUrl, settings, edge),
    ]);
    edge.out(json ? `${JSON.stringify({ services: states })}\n` : states.map(line).join(''));
    return states.every(({ isUp }) => isUp) ? 0 : EXIT_FAILED;
  },
});

async function stateOf(
  service: State['service'],
  url: URL,
  { key }: Settings,
  { fetch, signal }: Edge,
): Promise<State> {
  const base = { service, url: url.href };
  try {
    const answer = await fetch(new URL('health', url.href.endsWith('/') ? url : `${url.href}/`), {
      headers: key === null ? {} : { Authorization: `Bearer ${key}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    });
    const health = JSON.parse(await answer.text()) as Record<string, unknown>;
    const problem = answer.ok ? null : `answers ${answer.status}: ${String(health.detail)}`;
    return { ...base, isUp: answer.ok, health, problem };
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    return { ...base, isUp: false, health: null, problem: `does not answer (${reason}): start it with npm start` };
  }
}

function line({ service, url, problem, health }: State): string {
  const said = problem ?? `up, version ${String(health?.version)}`;
  return `${service.padEnd(6)}  ${url}  ${said}\n`;
}
