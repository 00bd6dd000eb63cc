import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type LockHolder, lockHolder } from '../../src/persistence/lock/lock-holder.ts';

/** Every write to it is refused as on a disk without room. Linux and the BSDs have it. */
const FULL_DEVICE = '/dev/full';

export const canBeFull = existsSync(FULL_DEVICE);

/** Lets the next try of a process to lock a directory meet a full disk: what it writes its lock to leads to a full device. */
export async function fillForLock(dataDir: string, self: Pick<LockHolder, 'pid' | 'hostname'>): Promise<void> {
  const { hostname, pid, startTicks } = await lockHolder(self);
  // One that is left over is replaced under a lock of its own.
  const lock = existsSync(join(dataDir, 'lock')) ? 'lock.takeover' : 'lock';
  symlinkSync(FULL_DEVICE, join(dataDir, `${lock}.${hostname}-${pid}-${startTicks ?? 0}`));
}
