import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where the services that `start` starts keep their data: in `data` of a clone; of an installed package, which npm replaces as a
 * whole, in the user's own folder (XDG Base Directory Specification; LOCALAPPDATA on Windows).
 * @param root of the clone or of the package
 */
export function dataFolder(root: string, env: Readonly<Record<string, string | undefined>>): string {
  if (env.AGENT_FACULTIES_DATA) return env.AGENT_FACULTIES_DATA;
  if (existsSync(join(root, 'pnpm-workspace.yaml'))) return join(root, 'data');
  return join(env.XDG_DATA_HOME || env.LOCALAPPDATA || join(homedir(), '.local', 'share'), 'agent-faculties');
}
