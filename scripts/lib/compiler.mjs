// better-sqlite3 brings a prebuilt binary for most platforms; where that cannot be fetched it is compiled, which needs these tools.
import { existsSync } from 'node:fs';
import { aptInstall } from './apt.mjs';
import { isOnPath } from './on-path.mjs';
import { say } from './say.mjs';

/** The names of missing build tools, e.g. ['make', 'a C++ compiler', 'python3']. Not checked on Windows. */
export function missingBuildTools() {
  if (process.platform === 'win32') return [];
  const missing = [];
  if (!isOnPath('make')) missing.push('make');
  const compilers = [process.env.CXX, 'g++', 'c++', 'clang++'].filter(Boolean);
  if (!compilers.some((compiler) => existsSync(compiler) || isOnPath(compiler))) missing.push('a C++ compiler');
  if (!isOnPath('python3')) missing.push('python3');
  return missing;
}

/** The command that installs the build tools on this machine. */
export function buildToolsAdvice() {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  if (process.platform === 'darwin') return 'xcode-select --install';
  if (process.platform === 'win32')
    return 'install Visual Studio Build Tools ("Desktop development with C++") and Python 3';
  if (isOnPath('apt-get')) return `${sudo}apt-get update && ${sudo}apt-get install -y python3 make g++`;
  if (isOnPath('dnf')) return `${sudo}dnf install -y python3 make gcc-c++`;
  if (isOnPath('apk')) return `${sudo}apk add python3 make g++`;
  if (isOnPath('pacman')) return `${sudo}pacman -S --needed python make gcc`;
  if (isOnPath('zypper')) return `${sudo}zypper install python3 make gcc-c++`;
  return "install python3, make and a C++ compiler with your system's package manager";
}

/**
 * Whether the set-up may install system packages unasked: only as root, only where apt-get exists, and only in CI or in a
 * container. On a person's machine it prints what to install instead.
 */
export function mayInstallBuildTools() {
  const isDisposable = process.env.CI === 'true' || existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  return isDisposable && process.getuid?.() === 0 && isOnPath('apt-get');
}

/** Installs the build tools with apt-get; resolves to the output of a failure, or null. */
export function installBuildTools() {
  say('compiler', 'installing python3, make and g++ (this is CI or a container)');
  return aptInstall(['python3', 'make', 'g++']);
}
