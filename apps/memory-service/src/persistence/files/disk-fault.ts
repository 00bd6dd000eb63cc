import { UnavailableError } from '@agent-faculties/service-kit';
import { systemCode } from './system-code.ts';

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: nothing was changed. Make room and send it again; reads still work.',
  EDQUOT: 'The disk quota is used up: nothing was changed. Make room and send it again; reads still work.',
  EFBIG: 'A file of the data directory may not grow further: nothing was changed. Raise that limit and send it again.',
  EROFS: 'The disk is read-only: nothing was changed. Make it writable and send it again; reads still work.',
  EACCES: 'The data directory may not be written to: nothing was changed. Give this user the right and send it again.',
  EPERM: 'The data directory may not be written to: nothing was changed. Give this user the right and send it again.',
  ENOENT:
    'The data directory is gone, or something else is in its place: nothing was changed. Put it back and start the service again; or POST /save, which writes what the service holds.',
  EMFILE: 'The service has too many files and connections open: nothing was changed. Send it again in a moment.',
  ENFILE: 'The machine has too many files open: nothing was changed. Send it again in a moment.',
};
const OTHERWISE = 'The data directory cannot be written to: nothing was changed. Check the disk and send it again.';

const MAKE_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room, then start it again.',
  EDQUOT: 'the disk quota is used up: make room, then start it again.',
  EROFS: 'the disk is read-only: make it writable, then start it again.',
};

/** What to do about a disk that can be read but takes no writes; null for any other fault. */
export function whyNoWrites(error: unknown): string | null {
  return MAKE_ROOM[systemCode(error) ?? ''] ?? null;
}

/** A fault of the disk as an UnavailableError; any other error unchanged. */
export function diskFault(error: unknown): unknown {
  const code = systemCode(error);
  return code === null
    ? error
    : new UnavailableError(WHY[code] ?? OTHERWISE, { code: 'storage_unavailable', cause: error });
}
