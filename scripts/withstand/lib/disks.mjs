// Small disks to fill or to break; each is gone when the process ends.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const IMAGE_BYTES = 32 * 2 ** 20;

const mounts = [];
function unmountAll() {
  for (const folder of mounts.splice(0)) {
    try {
      execFileSync('umount', [folder], { stdio: 'ignore' });
    } catch {
      execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
    }
  }
}

/** Whether mounting is worth a try. */
export function canMount() {
  return process.platform === 'linux' && process.getuid() === 0;
}

/** @param size as mount takes it, such as 16m @returns its folder, or null where mounting is not allowed */
export function mountTmpfs(scratch, size) {
  return mounted(scratch, 'full', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs']);
}

/** The folder of an ext4 image of 32 MiB, or null where mounting is not allowed. */
export function mountExt4(scratch) {
  const image = join(scratch, 'disk.img');
  closeSync(openSync(image, 'w'));
  truncateSync(image, IMAGE_BYTES);
  try {
    execFileSync('mkfs.ext4', ['-q', image], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return mounted(scratch, 'ext4', ['-o', 'loop', image]);
}

/** Writes a file that takes every byte that is left. */
export function fillDisk(path) {
  const file = openSync(path, 'w');
  for (const size of [2 ** 20, 4_096, 1]) {
    const block = Buffer.alloc(size);
    try {
      while (writeSync(file, block) === size);
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

function mounted(scratch, name, options) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  try {
    execFileSync('mount', [...options, folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  if (mounts.length === 0) process.prependListener('exit', unmountAll);
  mounts.push(folder);
  return folder;
}
