import { UnavailableError } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import { eraseFromDisk } from '../../../src/domain/editing/deletion.ts';
import type { EditDeps } from '../../../src/domain/editing/edit-deps.ts';
import { diskFault } from '../../../src/persistence/files/disk-fault.ts';

const FULL = diskFault(Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write', errno: -28 }));
const refusing = (error: unknown) =>
  ({ history: null, archive: null, saveNow: () => Promise.reject(error) }) as unknown as EditDeps;

test('what a full disk did not erase is said to be deleted, and not that nothing was changed', async () => {
  await expect(eraseFromDisk(refusing(FULL), ['m1'])).rejects.toMatchObject({
    code: 'erasure_incomplete',
    message:
      'It is deleted and in no answer, but the files still hold its words: POST /save takes them off the disk, once this is mended: The disk is full.',
  });
});

test('another error stays what it is', async () => {
  const error = new Error('no fault of the disk');
  expect(error).not.toBeInstanceOf(UnavailableError);
  await expect(eraseFromDisk(refusing(error), ['m1'])).rejects.toBe(error);
});
