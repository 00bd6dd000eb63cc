import { readFile, readlink } from 'node:fs/promises';
import { isAlive } from '@agent-faculties/service-kit';

/** A process as its machine names it. */
export interface ProcessName {
  readonly pid: number;
  readonly hostname: string;
}

/** Identifies one process, even after another process has got its id. */
export interface LockHolder extends ProcessName {
  /** Id of this boot of the machine; null where the system has none. */
  readonly bootId: string | null;
  /** The namespace of process ids; each container has its own. */
  readonly pidNamespace: string | null;
  /** Start of the process, in ticks since the boot. */
  readonly startTicks: number | null;
}

/** The running process, as others will see it. */
export async function lockHolder({ pid, hostname }: ProcessName): Promise<LockHolder> {
  const bootId = await orNull(readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
  const pidNamespace = await orNull(readlink('/proc/self/ns/pid'));
  return {
    pid,
    hostname,
    bootId: bootId?.trim() ?? null,
    pidNamespace,
    startTicks: (await statOf(pid))?.startTicks ?? null,
  };
}

/** Whether another process is alive or dead, or `elsewhere`: in another container or on another machine, where `self` cannot see it. */
export async function stateOf(holder: LockHolder, self: LockHolder): Promise<'alive' | 'dead' | 'elsewhere'> {
  if (holder.bootId !== self.bootId) return holder.hostname === self.hostname ? 'dead' : 'elsewhere';
  if (holder.pidNamespace !== self.pidNamespace) return 'elsewhere';
  if (self.bootId === null && holder.hostname !== self.hostname) return 'elsewhere';
  if (!isAlive(holder.pid)) return 'dead';
  const stat = await statOf(holder.pid);
  if (stat === null) return 'alive';
  return stat.isZombie || stat.startTicks !== holder.startTicks ? 'dead' : 'alive';
}

/** Reads /proc; null on a system without it. */
async function statOf(pid: number): Promise<{ startTicks: number; isZombie: boolean } | null> {
  const stat = await orNull(readFile(`/proc/${pid}/stat`, 'utf8'));
  if (stat === null) return null;
  // The program name stands in parentheses and may hold any character. The state is field 3, the start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { startTicks: Number(fields[22 - 3]), isZombie: fields[0] === 'Z' || fields[0] === 'X' };
}

async function orNull<Value>(value: Promise<Value>): Promise<Value | null> {
  return value.catch(() => null);
}
