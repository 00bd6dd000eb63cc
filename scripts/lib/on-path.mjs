import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
}
