import { readFileSync } from 'node:fs';

/** For the files of the spaces, the pipes to other processes and code that is loaded late; of a lower limit, half is kept. */
const KEPT_FILES = 512;

/** How many connections leave room for the files that the service needs: without any, a write fails as on a broken disk. */
export function mostConnections(limits: string = limitsOfProcess()): number {
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(files - KEPT_FILES, Math.floor(files / 2));
}

/** Empty where the system does not tell, which Linux alone does. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
