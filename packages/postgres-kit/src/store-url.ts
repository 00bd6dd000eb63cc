const SHAPE = /^(postgres(?:ql)?:\/\/)(?:([^@/]*)@)?([^@/?#]*)\/([^?#/]+)(\?[^#]*)?$/;
const PORT = 5432;

/** The address of a database, on one host or on several of which one takes writes. */
export interface StoreUrl {
  /** An address of the driver for each host, in the order in which they are tried. They hold the password. */
  readonly addresses: readonly string[];
  /** Hosts and database without user and password, for logs and errors: `db-1:5432,db-2:5432/memory`. */
  readonly name: string;
}

/** Whether a text is meant as the address of a PostgreSQL. */
export function isStoreUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?sslmode=verify-full`. Port 5432 is the default; a password that is
 * left out is that of PGPASSWORD, or of the file that PGPASSFILE names.
 * @throws RangeError that repeats nothing of the text, which may hold a password
 */
export function parseStoreUrl(text: string): StoreUrl {
  const [, scheme, user, authority, database, parameters = ''] = SHAPE.exec(text) ?? [];
  const hosts = (authority ?? '').split(',');
  if (!scheme || !database || hosts.some((host) => host === '')) refuse();
  const addresses = hosts.map((host) => {
    const address = `${scheme}${user === undefined ? '' : `${user}@`}${host}/${database}${parameters}`;
    if (!URL.canParse(address)) refuse();
    return address;
  });
  const names = addresses.map((address) => {
    const { hostname, port } = new URL(address);
    return `${hostname}:${port || PORT}`;
  });
  return { addresses, name: `${names.join(',')}/${decoded(database as string)}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse();
  }
}

function refuse(): never {
  throw new RangeError(
    'must be an address such as postgres://user@host:5432/database, with %XX for what is special in user and password; several hosts are separated by commas',
  );
}
