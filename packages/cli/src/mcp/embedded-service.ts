import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Edge } from '../command.ts';
import { CommandError } from '../errors.ts';

/** Where `start` keeps the data of each service in its folder. */
const PLACES = {
  memory: { flag: '--data-dir', name: 'memory' },
  timing: { flag: '--db-path', name: 'timing.db' },
} as const;

/**
 * Ends the service when the process that started it is gone, however it went: its standard input ends then. Given to node
 * --import.
 */
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(
  "process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).on('error', () => {}).resume()",
)}`;

const LISTENING = /listening on (http:\/\/\S+)/;

export interface EmbeddedService {
  readonly url: URL;
  readonly stop: () => Promise<void>;
}

/**
 * A service of our own on a free port of this machine.
 * @throws CommandError where the folder cannot be made, or with what the service says where it does not start, such as that another one has the data
 */
export async function embeddedService(
  edge: Edge,
  { service, folder }: { readonly service: 'memory' | 'timing'; readonly folder: string },
): Promise<EmbeddedService> {
  const [node = '', ...program] = edge.programs.service(service);
  const { flag, name } = PLACES[service];
  const home = resolve(edge.cwd, folder);
  await mkdir(home, { recursive: true }).catch(({ message }: Error) => {
    throw new CommandError(`${home} cannot be made: ${message}.`);
  });
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
  throw new CommandError(`${service}-service did not start on ${place}: ${said.trim() || 'it said nothing'}`);
}
