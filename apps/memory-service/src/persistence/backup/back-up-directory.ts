import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError, type BinaryOutput, TAR_END, tarHeader, tarPadding } from '@agent-faculties/service-kit';
import { foldersOfOthers } from '../directory/space-folders.ts';
import { LOCK_FILE } from '../files/file-names.ts';
import { systemCode } from '../files/system-code.ts';
import { captureDirectory, type DirectoryCapture } from './backup-files.ts';
import { FORMAT, MANIFEST, type Manifest, type ManifestFile } from './manifest.ts';

export interface BackupReport {
  readonly files: number;
  readonly bytes: number;
}

export interface BackupOptions {
  readonly output: BinaryOutput;
  /** Of the service. */
  readonly version: string;
  readonly nowMs: number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Writes a tar archive of a data directory with all its spaces, which a service may be using. The archive shows each space at one
 * moment, holds everything that was acknowledged before the call, and has the SHA-256 of each file.
 * @throws one of EXPLAINED_ERRORS, or the error of the system
 */
export async function backUpDirectory(dataDir: string, options: BackupOptions): Promise<BackupReport> {
  if (!existsSync(dataDir)) {
    throw new BackupError(`${dataDir} is not there: name the folder of a memory-service with --data-dir.`);
  }
  const others = await foldersOfOthers(dataDir);
  const files: ManifestFile[] = [];
  for (const folder of ['', ...others]) files.push(...(await backUpSpace(dataDir, folder, options)));
  const isEmpty = files.length === 0 && others.length === 0;
  if (isEmpty && !(await readdir(dataDir)).includes(LOCK_FILE)) {
    throw new BackupError(`${dataDir} holds no memories: name the folder of a memory-service with --data-dir.`);
  }
  await writeManifest(files, options);
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** @param folder below the data directory; '' for the default space */
async function backUpSpace(dataDir: string, folder: string, { output, pause }: BackupOptions): Promise<ManifestFile[]> {
  const capture = await captureDirectory(join(dataDir, folder), pause).catch((error) => {
    // A space that was made for a request that was refused, and removed since.
    if (folder !== '' && systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (!capture) return [];
  try {
    return await writeFiles(folder, capture, output);
  } finally {
    await capture.close();
  }
}

async function writeFiles(folder: string, capture: DirectoryCapture, output: BinaryOutput): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const { name: inFolder, size, modifiedMs, read } of capture.files) {
    const name = folder === '' ? inFolder : `${folder}/${inFolder}`;
    const hash = createHash('sha256');
    await output(tarHeader({ name, size, modifiedMs }));
    for await (const chunk of read()) {
      hash.update(chunk);
      await output(chunk);
    }
    await output(tarPadding(size));
    files.push({ name, size, sha256: hash.digest('hex') });
  }
  return files;
}

async function writeManifest(files: readonly ManifestFile[], { output, version, nowMs }: BackupOptions): Promise<void> {
  const made_at = new Date(nowMs).toISOString();
  const manifest: Manifest = { format: FORMAT, service: 'memory-service', version, made_at, files };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  await output(tarHeader({ name: MANIFEST, size: bytes.byteLength, modifiedMs: nowMs }));
  await output(Buffer.concat([bytes, tarPadding(bytes.byteLength), TAR_END]));
}
