import { open } from 'node:fs/promises';

/** Makes new, renamed and deleted names in a folder survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no folders, and keeps their entries by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
