import { join } from 'node:path';
import { type Command, defineCommand, UsageError } from './command.ts';
import type { Edge } from './edge.ts';
import type { Settings } from './settings.ts';

type Service = 'memory' | 'timing';

interface Delegate extends Pick<Command, 'name' | 'summary' | 'usage' | 'notes'> {
  /** Which service runs the command, and its arguments. @throws UsageError */
  readonly to: (args: readonly string[]) => { readonly service: Service; readonly args: readonly string[] };
}

/** The option for the data of each service, and the place where `start` keeps them. */
const PLACES = {
  memory: { flag: '--data-dir', variable: 'MEMORY_DATA_DIR', name: 'memory' },
  timing: { flag: '--db-path', variable: 'TIMING_DB_PATH', name: 'timing.db' },
} as const;

/**
 * A command that the program of a service runs on its own files. Options are passed to it unchanged. Without an option for the data,
 * the data of `start` are used.
 */
export function defineDelegate({ to, ...command }: Delegate): Command {
  return defineCommand({
    ...command,
    options: {},
    passesArguments: true,
    run: async ({ edge, settings, positionals }) => {
      const { service, args } = to(positionals);
      return await edge.execute([...edge.programs.service(service), ...withPlace(service, args, edge)], {
        ...edge.env,
        ...callerVariables(settings, edge.env),
      });
    },
  });
}

/** Who asks, under the names that the program of memory-service reads; what stands there already counts. */
function callerVariables({ key, agentId, space }: Settings, env: Edge['env']): Record<string, string> {
  const variables = { MEMORY_API_KEY: key, MEMORY_AGENT_ID: agentId, MEMORY_SPACE: space };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === null ? [] : [[name, env[name] || value]])),
  );
}

/** The place stands before the other arguments: behind an option without a value it would be taken for that. */
function withPlace(service: Service, args: readonly string[], { env, programs }: Edge): readonly string[] {
  const { flag, variable, name } = PLACES[service];
  const isSaid = args.some((arg) => arg === flag || arg.startsWith(`${flag}=`) || arg === '--help') || env[variable];
  const [command = '', ...rest] = args;
  return isSaid ? args : [command, flag, join(programs.dataFolder, name), ...rest];
}

/** The service that the first argument names. @throws UsageError */
export function serviceFirst(
  command: string,
  [service, ...args]: readonly string[],
): { service: Service; args: string[] } {
  if (service === 'memory' || service === 'timing') return { service, args: [command, ...args] };
  throw new UsageError(`Say which: ${command} memory, or ${command} timing.`);
}
