import process from 'node:process';
import { DATABASE_URL_VARIABLE } from './postgres-binaries.ts';
import { startPostgres } from './postgres-server.ts';
import { ask } from './server-program.ts';

/** A server for one test file. */
export interface TestDatabases {
  /** An empty database. @returns its URL */
  create(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Databases on the server of DATABASE_URL_TEST, which are dropped at the end; without it on one of its own.
 * @param options.hasVectors whether they can have the extension pgvector, which means a server of its own
 */
export async function openTestDatabases({ hasVectors = false } = {}): Promise<TestDatabases> {
  const given = hasVectors ? undefined : process.env[DATABASE_URL_VARIABLE];
  let count = 0;
  const nextName = () => `test_${process.pid}_${process.hrtime.bigint()}_${++count}`;
  if (!given) {
    const server = await startPostgres({ hasVectors });
    return { create: () => server.newDatabase(nextName()), close: () => server.remove() };
  }
  const made: string[] = [];
  return {
    create: async () => {
      const name = nextName();
      await ask(given, `CREATE DATABASE "${name}"`);
      made.push(name);
      const url = new URL(given);
      url.pathname = `/${name}`;
      return url.href;
    },
    close: async () => {
      for (const name of made) await ask(given, `DROP DATABASE "${name}" WITH (FORCE)`);
    },
  };
}
