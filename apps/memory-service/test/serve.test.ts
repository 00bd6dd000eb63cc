import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hasPostgres } from '@agent-faculties/testing';
import { afterEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { sharedDatabases } from './persistence/postgres/shared-databases.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const TSX = createRequire(import.meta.url).resolve('tsx');
const FLAGS = '--port 0 --embedding-model none --contradiction-model none --history-days 0 --log-level silent'.split(
  ' ',
);
const LIMIT_MS = 120_000;
const WORD = 'Rumpelstilzchen';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** From the sources, where nothing was built. @returns the process and its address, once it listens */
async function started(store: string) {
  const run = ['--conditions=@agent-faculties/source', '--import', TSX, MAIN, ...FLAGS];
  const child = spawn(process.execPath, run, { env: { ...process.env, MEMORY_STORE: store } });
  children.push(child);
  child.stderr.pipe(process.stderr);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, service: supertest(/http:\S+/.exec(line)?.[0] ?? '') };
}

(hasPostgres() ? describe : describe.skip)('a stop of a replica', () => {
  const { database, url } = sharedDatabases();
  const rowsOf = async (text: string) => (await database().postgres.query<{ row: string }>({ text })).rows;

  test(
    'leaves no deleted word and no lease in the database, and notes what was recalled last',
    async () => {
      const { child, service } = await started(url());
      const told = async (content: string): Promise<string> =>
        (await service.post('/ingest').send({ content }).expect(200)).body.memory.id;
      await service.delete(`/memory/${await told(`${WORD} lives behind the hill.`)}`).expect(200);
      const lamp = await told('The lamp in the hall is red.');
      await service.post('/recall').send({ query: 'red lamp' }).expect(200);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);

      const changes = await rowsOf('SELECT change::text AS row FROM memory.change');
      expect(changes.filter(({ row }) => row.includes(WORD))).toEqual([]);
      expect(await rowsOf('SELECT holder::text AS row FROM memory.lease')).toEqual([]);
      const next = await started(url());
      const { memory } = (await next.service.get(`/memory/${lamp}`).expect(200)).body;
      expect(memory.recall_count).toBe(1);
      next.child.kill('SIGTERM');
      await once(next.child, 'exit');
    },
    LIMIT_MS,
  );
});
