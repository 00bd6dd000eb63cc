import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, without a slash at the end. */
export const root = dirname(fileURLToPath(new URL('../../package.json', import.meta.url)));
