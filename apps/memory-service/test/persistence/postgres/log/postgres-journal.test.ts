import { randomUUID } from 'node:crypto';
import { AnswerLostError, type Postgres } from '@agent-faculties/postgres-kit';
import { createLog, ManualClock, UnavailableError } from '@agent-faculties/service-kit';
import { hasPostgres } from '@agent-faculties/testing';
import { describe, expect, test } from '@jest/globals';
import { versionOf } from '../../../../src/domain/memory/decision.ts';
import type { Checkpoint } from '../../../../src/persistence/postgres/checkpoint/checkpoint-files.ts';
import { Checkpoints } from '../../../../src/persistence/postgres/checkpoint/checkpoints.ts';
import { reconcileWithCheckpoint } from '../../../../src/persistence/postgres/checkpoint/load-checkpoint.ts';
import {
  ChangeLog,
  LOG_START,
  type LogLine,
  type LogPosition,
} from '../../../../src/persistence/postgres/log/change-log.ts';
import { SharedPersistence } from '../../../../src/persistence/postgres/shared-persistence.ts';
import { SharedVectors } from '../../../../src/persistence/postgres/vectors/shared-vectors.ts';
import { sampleMemory } from '../../../sample-memory.ts';
import { add, remove } from '../../../store/change-store.ts';
import { type Replica, sharedDatabases } from '../shared-databases.ts';

const clock = new ManualClock(Date.parse('2026-11-22T09:30:00Z'));
const log = createLog({ name: 'test', level: 'silent' });

/** A log whose answers can be lost, on their way there or back. */
class FailingLog extends ChangeLog {
  losesQuestion = false;
  /** What happens until the question is known to be lost. */
  meanwhile = async () => {};
  losesAnswer = false;
  /** It can be written to, and not be read. */
  isUnreadable = false;
  isAway = false;
  /** What happens before the next question. */
  before = async () => {};
  appends = 0;

  override async append(...about: Parameters<ChangeLog['append']>): Promise<boolean> {
    this.appends++;
    await this.before();
    this.before = async () => {};
    if (this.isAway) throw new UnavailableError('It is away.', { code: 'storage_unavailable' });
    const lost = () => new AnswerLostError('It broke off.', { code: 'storage_unavailable' });
    if (this.losesQuestion) {
      this.losesQuestion = false;
      await this.meanwhile();
      throw lost();
    }
    const written = await super.append(...about);
    if (!this.losesAnswer) return written;
    this.losesAnswer = false;
    throw lost();
  }

  override async *after(position: LogPosition): AsyncGenerator<LogLine> {
    if (this.isUnreadable) throw new UnavailableError('Nothing was changed.', { code: 'storage_unavailable' });
    yield* super.after(position);
  }
}

(hasPostgres() ? describe : describe.skip)('a log in a database', () => {
  const { database, newSpace, replica } = sharedDatabases();
  const failing = (space: string) => new FailingLog({ postgres: database().postgres, space });
  const linesOf = async (space: string) => {
    const lines: string[] = [];
    const log = new ChangeLog({ postgres: database().postgres, space });
    for await (const { body } of log.after(LOG_START)) lines.push(JSON.parse(body).memory?.id ?? JSON.parse(body).op);
    return lines;
  };
  /** Makes a checkpoint, after which the log starts anew. */
  const save = async ({ indexes, journal }: Replica, space: string) => {
    const { postgres, newToken } = database();
    const checkpoints = new Checkpoints({ postgres, space });
    const capture = () => ({
      memories: indexes.capture(),
      vectors: null,
      versions: indexes.versions.capture(),
      deleted: indexes.tombstones.snapshot(),
    });
    const whole = async () => {};
    const isOwner = async () => true;
    const above = Number.POSITIVE_INFINITY;
    const vectors = new SharedVectors({ postgres, space, model: null, indexes, above, isOwner, clock, log });
    const about = {
      clock,
      name: 'test',
      journal,
      checkpoints,
      whole,
      capture,
      vectors,
      newId: newToken,
      savedAtMs: null,
    };
    await new SharedPersistence(about).save();
  };
  /** Puts the rows of one space in place of those of another. */
  const rename = async (from: string, to: string) => {
    const { postgres } = database();
    for (const [table, column] of [
      ['space', 'name'],
      ['change', 'space'],
      ['checkpoint', 'space'],
    ]) {
      await postgres.query({ text: `DELETE FROM memory.${table} WHERE ${column} = $1`, values: [to] });
      const text = `UPDATE memory.${table} SET ${column} = $2 WHERE ${column} = $1`;
      await postgres.query({ text, values: [from, to] });
    }
  };
  const id = (number: number) => sampleMemory(number).id;

  test('shows another process what was written, once it is answered', async () => {
    const space = newSpace();
    const [one, other] = [replica(space, { clock }), replica(space, { clock })];
    for (let number = 1; number <= 200; number++) {
      const [writer, reader] = number % 2 ? [one, other] : [other, one];
      await add(writer.store, sampleMemory(number));
      expect((await reader.store.find(id(number)))?.memory).toEqual(sampleMemory(number));
    }
    expect(await linesOf(space)).toEqual(Array.from({ length: 200 }, (_, at) => id(at + 1)));
  });

  test('keeps spaces apart', async () => {
    const [one, other] = [replica(newSpace(), { clock }), replica(newSpace(), { clock })];
    await add(one.store, sampleMemory(1));
    expect([await one.store.size(), await other.store.size()]).toEqual([1, 0]);
  });

  test('lets one of two processes have a key, and both know which', async () => {
    const space = newSpace();
    const replicas = [1, 2, 3].map(() => replica(space, { clock }));
    for (let round = 0; round < 30; round++) {
      const idempotencyKey = `key-${round}`;
      const won = await Promise.all(
        replicas.map(async ({ store }, at) => {
          const memory = sampleMemory(1_000 + round * 3 + at, { idempotencyKey, agentId: 'ann', project: null });
          const changes = [{ op: 'add' as const, memory, vectors: [] }];
          return await store.changeTogether({ expected: [], absent: { keysOf: [memory] }, changes });
        }),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const found = await Promise.all(
        replicas.map(({ store }) => store.findByIdempotencyKey({ agentId: 'ann', project: null, idempotencyKey })),
      );
      expect(found.map((stored) => stored?.memory.id)).toEqual(
        [1, 2, 3].map(() => id(1_000 + round * 3 + won.indexOf(true))),
      );
    }
    expect(await linesOf(space)).toHaveLength(30);
  });

  test('lets one of two processes change a memory that both have read', async () => {
    const space = newSpace();
    const [one, other] = [replica(space, { clock }), replica(space, { clock })];
    await add(one.store, sampleMemory(1));
    const read = sampleMemory(1);
    const edit = (importance: number) => ({
      expected: [versionOf(read)],
      changes: [
        { op: 'update' as const, memory: { ...read, importance, updatedAt: read.updatedAt + importance * 10 } },
      ],
    });
    const happened = await Promise.all([one.store.changeTogether(edit(0.2)), other.store.changeTogether(edit(0.4))]);
    expect(happened.filter(Boolean)).toHaveLength(1);
    const winner = happened[0] ? 0.2 : 0.4;
    for (const { store } of [one, other]) expect((await store.find(read.id))?.memory.importance).toBe(winner);
  });

  test('holds no more memories than it may, whoever brings them', async () => {
    const space = newSpace();
    const replicas = [1, 2, 3].map(() => replica(space, { clock }));
    const brought = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        replicas[number % 3]?.store.changeTogether({
          expected: [],
          mostMemories: 7,
          changes: [{ op: 'add', memory: sampleMemory(number), vectors: [] }],
        }),
      ),
    );
    expect(brought.filter(Boolean)).toHaveLength(7);
    for (const { store } of replicas) expect(await store.size()).toBe(7);
  });

  test('writes a group once whose answer was lost, and once whose question was', async () => {
    const space = newSpace();
    const log = failing(space);
    const { store, journal } = replica(space, { clock, log });
    await add(store, sampleMemory(1));
    log.losesAnswer = true;
    await add(store, sampleMemory(2));
    log.losesQuestion = true;
    await add(store, sampleMemory(3));
    expect(await linesOf(space)).toEqual([1, 2, 3].map(id));
    expect([journal.sequence, log.appends]).toEqual([3, 5]);
    const other = replica(space, { clock });
    expect(await other.store.size()).toBe(3);
  });

  test('does not say that nothing was changed where an answer was lost and the log cannot be read', async () => {
    const space = newSpace();
    const log = failing(space);
    const { store } = replica(space, { clock, log });
    await add(store, sampleMemory(1));
    Object.assign(log, { losesAnswer: true, isUnreadable: true });
    await expect(add(store, sampleMemory(2))).rejects.toBeInstanceOf(AnswerLostError);
    log.isUnreadable = false;
    expect(await linesOf(space)).toEqual([1, 2].map(id));
  });

  test('does not take the change of another for its own when an answer was lost', async () => {
    const space = newSpace();
    const log = failing(space);
    const [one, other] = [replica(space, { clock, log }), replica(space, { clock })];
    await add(one.store, sampleMemory(1));
    log.losesQuestion = true;
    const memory = sampleMemory(2, { idempotencyKey: 'k' });
    const rival = sampleMemory(3, { idempotencyKey: 'k', agentId: memory.agentId, project: memory.project });
    log.meanwhile = () => add(other.store, rival);
    const happened = await one.store.changeTogether({
      expected: [],
      absent: { keysOf: [memory] },
      changes: [{ op: 'add', memory, vectors: [] }],
    });
    expect(happened).toBe(false);
    expect(await linesOf(space)).toEqual([1, 3].map(id));
  });

  test('keeps what was recalled, and other processes know it', async () => {
    const space = newSpace();
    const [one, other] = [replica(space, { clock }), replica(space, { clock })];
    await add(one.store, sampleMemory(1));
    const strength = { lastRecalledAt: clock.now(), recallCount: 9, stabilityDays: 99 };
    await one.store.strengthen([{ id: id(1), strength }]);
    expect((await one.store.find(id(1)))?.strength).toEqual(strength);
    await one.journal.flush();
    expect((await other.store.find(id(1)))?.strength).toEqual(strength);
  });

  test('writes what was recalled later where the database is away meanwhile', async () => {
    const space = newSpace();
    const log = failing(space);
    const [one, other] = [replica(space, { clock, log }), replica(space, { clock })];
    for (const number of [1, 2]) await add(one.store, sampleMemory(number));
    const recalled = (recallCount: number) => ({ lastRecalledAt: clock.now(), recallCount, stabilityDays: 99 });
    await one.store.strengthen([1, 2].map((number) => ({ id: id(number), strength: recalled(5) })));
    log.isAway = true;
    await one.journal.flush();
    log.isAway = false;
    await one.store.strengthen([{ id: id(2), strength: recalled(6) }]);
    await one.journal.flush();
    for (const { store } of [one, other]) {
      expect((await store.find(id(1)))?.strength).toEqual(recalled(5));
      expect((await store.find(id(2)))?.strength).toEqual(recalled(6));
    }
  });

  test('says that the disk of the database is full until a write is taken, though reads go on', async () => {
    const space = newSpace();
    const [one, other, reader] = [1, 2, 3].map(() => replica(space, { clock })) as [Replica, Replica, Replica];
    const { postgres } = database();
    await postgres.query({
      text: `CREATE FUNCTION memory.fill() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
    });
    await postgres.query({
      text: 'CREATE TRIGGER full_disk BEFORE INSERT ON memory.change EXECUTE FUNCTION memory.fill()',
    });
    try {
      for (const { store } of [one, other])
        await expect(add(store, sampleMemory(1))).rejects.toThrow('its disk is full');
      for (const { store, journal } of [one, other]) {
        expect(await store.size()).toBe(0);
        expect(journal.refusal).toContain('its disk is full');
      }
      await reader.store.size();
      expect(reader.journal.refusal).toBeNull();
    } finally {
      await postgres.query({ text: 'DROP TRIGGER full_disk ON memory.change' });
    }
    await add(one.store, sampleMemory(1));
    expect(one.journal.refusal).toBeNull();
    expect(other.journal.refusal).not.toBeNull();
    expect(await other.store.size()).toBe(1);
    expect(other.journal.refusal).toBeNull();
  });

  test('tells every process since when rows hold what was deleted, until a checkpoint has none of it', async () => {
    const space = newSpace();
    const [one, other] = [replica(space, { clock }), replica(space, { clock })];
    const told = async () => {
      for (const { journal } of [one, other]) await journal.catchUp();
      return [one.journal.deletedSinceMs, other.journal.deletedSinceMs];
    };
    for (const number of [1, 2, 3]) await add(one.store, sampleMemory(number));
    expect(await told()).toEqual([null, null]);
    const startedMs = clock.now();
    await remove(one.store, [sampleMemory(1).id]);
    expect(await told()).toEqual([startedMs, startedMs]);
    clock.advance(1_000);
    await remove(other.store, [sampleMemory(2).id]);
    expect(await told()).toEqual([startedMs, startedMs]);
    // One that starts reads it in the log.
    const late = replica(space, { clock });
    await late.journal.catchUp();
    expect(late.journal.deletedSinceMs).toBe(startedMs + 1_000);
    await save(one, space);
    expect(await told()).toEqual([null, null]);
  });

  test('is read anew as often as others make the next checkpoint meanwhile', async () => {
    const space = newSpace();
    const writer = replica(space, { clock });
    let memories = 0;
    const goOn = async () => {
      await add(writer.store, sampleMemory(++memories));
      await save(writer, space);
      await add(writer.store, sampleMemory(++memories));
    };
    await goOn();
    const checkpoints = new Checkpoints({ postgres: database().postgres, space });
    let readings = 0;
    const readAnew = async () => {
      const checkpoint = await reconcileWithCheckpoint({
        database: database(),
        checkpoints,
        indexes: late.indexes,
        model: null,
        log,
      });
      if (++readings < 8) await goOn();
      return (checkpoint as Checkpoint).position;
    };
    const late = replica(space, { clock, readAnew });
    expect([await late.store.size(), readings]).toEqual([16, 8]);
  });

  test('is read on where somebody writes right after the lines were read', async () => {
    const space = newSpace();
    const writer = replica(space, { clock });
    const { postgres } = database();
    let afterLines = async () => {};
    const query: Postgres['query'] = async (statement) => {
      const answer = await postgres.query<never>(statement);
      if (statement.text.includes('memory.change')) await afterLines();
      return answer;
    };
    let readings = 0;
    const readAnew = async () => {
      const checkpoints = new Checkpoints({ postgres, space });
      const about = { database: database(), checkpoints, indexes: late.indexes, model: null, log };
      const checkpoint = await reconcileWithCheckpoint(about);
      readings++;
      afterLines = async () => {
        afterLines = async () => {};
        await add(writer.store, sampleMemory(3));
      };
      return (checkpoint as Checkpoint).position;
    };
    const late = replica(space, { clock, readAnew, log: new ChangeLog({ postgres: { query }, space }) });
    await add(writer.store, sampleMemory(1));
    expect(await late.store.size()).toBe(1);
    // As after a pause: what it has not read is in a checkpoint alone, and nothing follows that yet.
    await add(writer.store, sampleMemory(2));
    await save(writer, space);
    expect([await late.store.size(), readings]).toEqual([2, 1]);
    expect([await late.store.size(), readings]).toEqual([3, 1]);
  });

  test('refuses what was decided on an empty space, about its archive, once somebody has written', async () => {
    const space = newSpace();
    const { postgres } = database();
    await add(replica(space, { clock }).store, sampleMemory(1));
    const late = new ChangeLog({ postgres, space });
    const about = { after: LOG_START, token: randomUUID(), archive: { take: [] } };
    expect(await late.append(['{"op":"delete","ids":[]}'], about)).toBe(false);
    expect(await linesOf(space)).toEqual([sampleMemory(1).id]);
  });

  test('is damaged where it does not continue its checkpoint', async () => {
    const space = newSpace();
    const { store } = replica(space, { clock });
    for (const number of [1, 2, 3]) await add(store, sampleMemory(number));
    const text = 'DELETE FROM memory.change WHERE space = $1 AND seq = 2';
    await database().postgres.query({ text, values: [space] });
    await expect(replica(space, { clock }).store.size()).rejects.toThrow('does not continue its checkpoint');
  });

  test('goes back with a log that was set back', async () => {
    const space = newSpace();
    const { store, journal } = replica(space, { clock });
    await add(store, sampleMemory(1));
    await add(store, sampleMemory(2));
    const { postgres } = database();
    await postgres.query({ text: 'DELETE FROM memory.change WHERE space = $1 AND seq = 2', values: [space] });
    const back =
      'UPDATE memory.space SET head = 1, token = (SELECT token FROM memory.change WHERE space = $1) WHERE name = $1';
    await postgres.query({ text: back, values: [space] });
    expect([await store.find(id(2)), (await store.find(id(1)))?.memory]).toEqual([null, sampleMemory(1)]);
    await add(store, sampleMemory(3));
    expect([await linesOf(space), journal.sequence]).toEqual([[1, 3].map(id), 2]);
  });

  test('takes over another history of the same length', async () => {
    const space = newSpace();
    const [one, other] = [replica(space, { clock }), replica(space, { clock })];
    await add(one.store, sampleMemory(1));
    await add(one.store, sampleMemory(2));
    expect(await other.store.size()).toBe(2);
    const { postgres, newToken } = database();
    const line = JSON.stringify({ op: 'delete', ids: [id(1)] });
    const forged = [space, newToken(), line];
    await postgres.query({
      text: 'UPDATE memory.change SET token = $2, body = $3 WHERE space = $1 AND seq = 2',
      values: forged,
    });
    await postgres.query({ text: 'UPDATE memory.space SET token = $2 WHERE name = $1', values: forged.slice(0, 2) });
    expect(await one.store.size()).toBe(0);
    await add(other.store, sampleMemory(3));
    for (const { store } of [one, other]) {
      expect([await store.size(), await store.wasDeleted(id(1)), await store.find(id(2))]).toEqual([1, true, null]);
    }
  });

  test('writes on after another history whose checkpoint is of the same length', async () => {
    const space = newSpace();
    const log = failing(space);
    const { store } = replica(space, { clock, log });
    await add(store, sampleMemory(1));
    const rewritten = newSpace();
    const third = replica(rewritten, { clock });
    await add(third.store, sampleMemory(2));
    await save(third, rewritten);
    // The database fails over between the look at the head and the write.
    log.before = () => rename(rewritten, space);
    await add(store, sampleMemory(3));
    expect(await Promise.all([1, 2, 3].map(async (n) => (await store.find(id(n))) !== null))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('takes over another history whose checkpoint is of the same length', async () => {
    const space = newSpace();
    const [one, other] = [replica(space, { clock }), replica(space, { clock })];
    await add(one.store, sampleMemory(1));
    await add(one.store, sampleMemory(2));
    expect(await other.store.size()).toBe(2);
    // As after a failover that has lost the second change, in whose place another memory was written and saved.
    const rewritten = newSpace();
    const third = replica(rewritten, { clock });
    await add(third.store, sampleMemory(1));
    await add(third.store, sampleMemory(4));
    await save(third, rewritten);
    await rename(rewritten, space);
    // `other` looks before anything follows the checkpoint, `one` only when something does.
    await add(other.store, sampleMemory(5));
    await add(other.store, sampleMemory(8));
    for (const { store } of [one, other]) {
      expect(await Promise.all([1, 2, 4, 5, 8].map(async (n) => (await store.find(id(n))) !== null))).toEqual([
        true,
        false,
        true,
        true,
        true,
      ]);
    }
  });
});
