import { existsSync } from 'node:fs';
import { isOnPath } from './on-path.mjs';
import { runQuietly } from './run-quietly.mjs';

/** Whether apt-get is here and may be run: root on Debian, Ubuntu and their kin. */
export function mayUseApt() {
  return process.getuid?.() === 0 && isOnPath('apt-get') && existsSync('/etc/debian_version');
}

/** Installs packages with apt-get; resolves to the output of a failure, or null. */
export async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await runQuietly('apt-get', ['update'], { env });
  if (update.code !== 0) return update.output;
  const install = await runQuietly('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env });
  return install.code === 0 ? null : install.output;
}
