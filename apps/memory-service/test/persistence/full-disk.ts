import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type LockHolder, lockHolder } from '../../src/persistence/directory/lock-holder.ts';

/** A device that refuses every write as a full disk does. Linux and the BSDs have it. */
const FULL_DEVICE = '/dev/full';

export const canBeFull = existsSync(FULL_DEVICE);

/** The next time that this process locks the directory it finds a full disk: the file that it will write is a link to the full device. */
export async function fillForLock(dataDir: string, self: Pick<LockHolder, 'pid' | 'hostname'>): Promise<void> {
  const { hostname, pid, startTicks } = await lockHolder(self);
  // A process replaces a lock that was left behind under a second lock.
  const lock = existsSync(join(dataDir, 'lock')) ? 'lock.takeover' : 'lock';
  symlinkSync(FULL_DEVICE, join(dataDir, `${lock}.${hostname}-${pid}-${startTicks ?? 0}`));
}
