// Run as a process of its own: tries to open the data directory that it is told of, says how that went, and holds it until it
// is killed or its input ends.
import { hostname } from 'node:os';
import { openDataDirectory } from '../../../src/persistence/directory/data-directory.ts';

try {
  const directory = await openDataDirectory({
    path: process.argv[2] as string,
    process: { pid: process.pid, hostname: hostname() },
    clock: { now: () => Date.now() },
  });
  console.log('held');
  process.stdin.resume().on('end', async () => {
    await directory.release();
    process.exit(0);
  });
} catch (error) {
  console.log((error as Error).message);
  process.exit(1);
}
