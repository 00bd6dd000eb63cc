import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

// The stamp lies in node_modules, so that deleting that folder deletes it too.
const stampPath = join(root, 'node_modules', '.bootstrap-stamp');

/** The members that pnpm-workspace.yaml lists. In an image not all of them are there. */
export function memberFolders() {
  const inside = ['apps', 'packages', 'tools'].flatMap((folder) => {
    const path = join(root, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .sort()
      .map((name) => join(path, name));
  });
  return [...inside, join(root, 'bench')].filter((member) => existsSync(join(member, 'package.json')));
}

/** A hash of all that decides what an install brings: the lock file, the manifests, the platform and Node's version. */
export function installFingerprint() {
  const hash = createHash('sha256');
  hash.update([process.platform, process.arch, process.version, process.versions.modules].join(' '));
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((name) => join(root, name));
  for (const file of [...files, ...memberFolders().map((member) => join(member, 'package.json'))]) {
    hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

export function isInstalled(fingerprint) {
  if (!existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== fingerprint) return false;
  return memberFolders().every((member) => existsSync(join(member, 'node_modules')) || !hasDependencies(member));
}

function hasDependencies(member) {
  const manifest = JSON.parse(readFileSync(join(member, 'package.json'), 'utf8'));
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0;
}

export function writeStamp(fingerprint) {
  mkdirSync(dirname(stampPath), { recursive: true });
  writeFileSync(stampPath, fingerprint);
}

export function removeStamp() {
  rmSync(stampPath, { force: true });
}
