import { join, resolve } from 'node:path';
import { makeFolder } from '@agent-faculties/service-kit';
import type { Edge } from '../command.ts';
import { CommandError } from '../errors.ts';

/** Where `start` keeps the data of each service in its folder. */
const PLACES = {
  memory: { flag: '--data-dir', name: 'memory' },
  timing: { flag: '--db-path', name: 'timing.db' },
} as const;

/**
 * A module for node --import. It ends the service when the process that started it has ended, even by a kill: the standard input
 * of the service closes then. Threads of the service load it too, and the input of a thread ends at once.
 */
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).on('error', () => {}).resume()",
)}`;

const LISTENING = /listening on (http:\/\/\S+)/;

export interface EmbeddedService {
  readonly url: URL;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a service on a free port of this machine.
 * @throws CommandError when the folder cannot be made, or when the service does not start; then with the words of the service, such
 *   as that another process has the data
 */
export async function embeddedService(
  edge: Edge,
  { service, folder }: { readonly service: 'memory' | 'timing'; readonly folder: string },
): Promise<EmbeddedService> {
  const [node = '', ...program] = edge.programs.service(service);
  const { flag, name } = PLACES[service];
  const home = resolve(edge.cwd, folder);
  try {
    makeFolder(home);
  } catch (error) {
    throw new CommandError(`${home} cannot be made: ${(error as Error).message}.`);
  }
  const place = join(home, name);
  const options = ['--host', '127.0.0.1', '--port', '0', flag, place];
  const child = edge.spawn([node, '--import', END_WITH_PARENT, ...program, ...options], { ...edge.env });
  let said = '';
  for await (const text of child.output) {
    said += text;
    const [, url] = LISTENING.exec(said) ?? [];
    if (url !== undefined) {
      return { url: new URL(url), stop: child.stop };
    }
  }
  throw new CommandError(`${service}-service did not start on ${place}: ${wordsOf(said) || 'it said nothing'}`);
}

/** What it said for people; its log, a JSON object a line, where there is nothing else. */
function wordsOf(said: string): string {
  const words = said.split('\n').filter((line) => !line.startsWith('{'));
  return words.join('\n').trim() || said.trim();
}
