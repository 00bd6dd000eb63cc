import process from 'node:process';

/** Whether there is a process of this number on this machine, or in this container. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and belongs to another user.
    return (error as { code?: string }).code !== 'ESRCH';
  }
}
