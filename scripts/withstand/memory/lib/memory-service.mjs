// Starts the built memory-service on a free port.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../lib/root.mjs';
import { KnownFailure } from '../../../lib/say.mjs';
import { startProcess } from '../../lib/service.mjs';

export { requester, residentMiB, scratchFolder, startProcess } from '../../lib/service.mjs';

export const SERVICE = join(root, 'apps/memory-service');
const ENTRY = join(SERVICE, 'dist/main.js');

/** @param dataDir null: nothing is kept on disk */
export function startMemory(dataDir, { model = 'fast', logLevel = 'warn', flags = [], env = {}, nodeFlags = [] } = {}) {
  if (!existsSync(ENTRY)) throw new KnownFailure('memory-service is not built: run npm run build first.');
  const own = ['--port', '0', '--log-level', logLevel, '--embedding-model', model];
  const command = [...nodeFlags, ENTRY, ...own, ...(dataDir === null ? [] : ['--data-dir', dataDir]), ...flags];
  return startProcess(command, { env, name: 'memory-service' });
}

/** Processes that a process has started, FAISS among them; empty where the system has no /proc. */
export function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Resident memory in MiB as the system counts it, pages of files that are mapped among it; 0 once the process is gone. */
export function residentOf(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return 0;
  }
}

/** Where the service's main thread waits this share of the time for a core, a measurement says nothing about the service. */
export const BUSY_SHARE = 0.15;

/** Seconds that the main thread of a process was ready to run and had no core; 0 where the system does not say. */
export function waitedForCore(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9;
  } catch {
    return 0;
  }
}
