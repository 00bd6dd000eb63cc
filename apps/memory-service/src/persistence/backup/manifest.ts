import { BackupError, type TarEntry } from '@agent-faculties/service-kit';

/** The last file of the archive: an archive that was cut short has none. */
export const MANIFEST = 'backup.json';
export const FORMAT = 1;
const MANIFEST_BYTES = 16 * 1024 ** 2;

export interface ManifestFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: number;
  readonly service: string;
  /** Version of the service that made the backup. */
  readonly version: string;
  readonly made_at: string;
  readonly files: readonly ManifestFile[];
}

/** @throws BackupError for a manifest that is not one of this version */
export async function readManifest({ size, content }: TarEntry): Promise<Manifest> {
  if (size > MANIFEST_BYTES) throw new BackupError('The backup is damaged: take another one.');
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const manifest = parsed(Buffer.concat(chunks).toString('utf8')) as Partial<Manifest> | null;
  if (manifest?.service !== 'memory-service' || !Array.isArray(manifest.files)) {
    throw new BackupError('This is not a backup of memory-service.');
  }
  if (manifest.format !== FORMAT) {
    throw new BackupError(
      `The backup was made by a newer version (${manifest.version}): restore it with that version. Nothing was changed.`,
    );
  }
  return manifest as Manifest;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
