import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import { metric, parseExposition } from '../../../../packages/service-kit/test/exposition.ts';
import { sampleMemory } from '../sample-memory.ts';
import {
  ask,
  closeFastEmbedder,
  START_MS,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

const scrapeOf = async ({ app }: Pick<TestService, 'app'>) =>
  parseExposition((await supertest(app).get('/metrics')).text);

describe('/metrics', () => {
  const folder = temporaryFolder();
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ dataDir: folder.path, config: { maxMemories: 5_000 } });
  });
  afterAll(async () => {
    await service.close();
    folder.remove();
    await closeFastEmbedder();
  });
  const scrape = () => scrapeOf(service);

  test('says what is in the store, what waits and what was decided', async () => {
    const { app } = service;
    for (const [agent, scope] of [
      ['ann', 'TEAM'],
      ['bob', 'TEAM'],
      ['ann', 'SHARED'],
      ['ann', 'PRIVATE'],
    ] as const) {
      await say(service, agent, { content: `The secret kettle of ${agent} is ${scope}.`, scope });
    }
    await say(service, 'cid', 'The Alder kettle holds 2 litres.');
    await say(service, 'dee', 'The Alder kettle holds 3 litres.');
    const waiting = await scrape();
    const memories = (scope: string) => metric(waiting, 'memory_memories', { kind: 'episodic', scope });
    expect([memories('TEAM'), memories('SHARED'), memories('PRIVATE')]).toEqual([4, 1, 1]);
    expect(metric(waiting, 'memory_memories', { kind: 'semantic' })).toBe(0);
    expect(metric(waiting, 'memory_memories_limit')).toBe(5_000);
    expect(metric(waiting, 'memory_vectors')).toBe(6);
    expect(metric(waiting, 'memory_vector_bytes')).toBe(6 * 240 * 4);
    expect(metric(waiting, 'memory_vectors_waiting')).toBe(0);
    expect(metric(waiting, 'memory_embedding_ready')).toBe(1);
    expect(metric(waiting, 'memory_comparisons_waiting')).toBe(6);

    const { body } = await supertest(app).post('/contradictions').send({ threshold: 0.3, include_same_agent: true });
    const states = async () => {
      const families = await scrape();
      return ['open', 'resolved', 'dismissed'].map((state) => metric(families, 'memory_contradictions', { state }));
    };
    let count = 0;
    for await (const batch of service.opened.store.contradictions()) count += batch.length;
    expect(count).toBeGreaterThan(0);
    expect(await states()).toEqual([count, 0, 0]);
    const decide = `/contradictions/${body.contradictions[0].id}/resolve`;
    await supertest(app).post(decide).send({ dismiss: true });
    expect(await states()).toEqual([count - 1, 0, 1]);
    await supertest(app).post(decide).send({ winner: body.contradictions[0].a.memory_id });
    expect(await states()).toEqual([count - 1, 1, 0]);
    expect(metric(await scrape(), 'memory_comparisons_waiting')).toBe(0);
  });

  test('measures each stage of every ingest and recall', async () => {
    const stages = async (operation: string, names: readonly string[]) => {
      const families = await scrape();
      return names.map((stage) => metric(families, 'memory_stage_duration_seconds_count', { operation, stage }));
    };
    const ingest = ['reading', 'embedding', 'journal'];
    const recall = ['reading', 'embedding', 'vector_search', 'evidence', 'scoring'];
    const [ingestsBefore] = await stages('ingest', ingest);
    const [recallsBefore] = await stages('recall', recall);
    for (const word of ['one', 'two']) await say(service, 'ann', `Word number ${word}.`);
    for (let times = 0; times < 3; times++) await ask(service, 'ann', 'Which word?');
    const ingests = (ingestsBefore as number) + 2;
    const recalls = (recallsBefore as number) + 3;
    expect(await stages('ingest', ingest)).toEqual([ingests, ingests, ingests]);
    expect(await stages('recall', recall)).toEqual([recalls, recalls, recalls, recalls, recalls]);
  });

  test('counts the messages that were stored and those that were there already, by every way in; refused ones in neither', async () => {
    const { app } = service;
    const outcomes = async () => {
      const families = await scrape();
      return ['stored', 'duplicate'].map((outcome) => metric(families, 'memory_messages_total', { outcome }));
    };
    const [stored, duplicates] = (await outcomes()) as [number, number];
    const hook = {
      hook_event_name: 'UserPromptSubmit',
      session_id: 's',
      prompt: 'The lantern of the harbour is yellow.',
    };
    for (const content of ['The lighthouse is white.', 'the  lighthouse is WHITE.', 'The lighthouse is red.']) {
      await supertest(app).post('/ingest').send({ content }).expect(200);
    }
    await supertest(app).post('/ingest_and_recall').send({ content: 'The lighthouse is red.' }).expect(200);
    await supertest(app).post('/ingest').send({ content: ' ' }).expect(422);
    expect(await outcomes()).toEqual([stored + 2, duplicates + 2]);
    for (let times = 0; times < 2; times++) await supertest(app).post('/hooks/claude-code').send(hook);
    expect(await outcomes()).toEqual([stored + 3, duplicates + 3]);
  });

  test('says what consolidation did, dry runs left out', async () => {
    const { app } = service;
    for (const agent of ['cid', 'dee']) await say(service, agent, 'The door of the secret garden is green.');
    await supertest(app).post('/consolidate').send({ dry_run: true, cluster: false });
    await supertest(app).post('/consolidate').send({ cluster: false });
    const families = await scrape();
    expect(metric(families, 'memory_consolidation_duration_seconds_count', { outcome: 'done' })).toBe(1);
    expect(metric(families, 'memory_consolidation_changes_total', { change: 'deduplicated' })).toBe(1);
    expect(metric(families, 'memory_consolidation_changes_total', { change: 'pruned' })).toBe(0);
  });

  test('says what is on disk, since when, and whether it takes more', async () => {
    await say(service, 'ann', 'Not saved yet.');
    const before = await scrape();
    const { journalBytes, unsavedChanges } = service.opened.persistence.state();
    expect([journalBytes > 0, unsavedChanges > 0]).toEqual([true, true]);
    expect(metric(before, 'memory_journal_bytes')).toBe(journalBytes);
    expect(metric(before, 'memory_unsaved_changes')).toBe(unsavedChanges);
    expect(metric(before, 'memory_storage_writable')).toBe(1);
    expect([...before.keys()]).toContain('memory_last_night_timestamp_seconds');
    expect(before.get('memory_last_night_timestamp_seconds')?.samples.size).toBe(0);

    await supertest(service.app).post('/save');
    const saved = await scrape();
    expect(metric(saved, 'memory_last_save_timestamp_seconds')).toBe(START_MS / 1_000);
    expect(metric(saved, 'memory_journal_bytes')).toBe(0);

    const handle = await open(fileURLToPath(import.meta.url));
    const fault = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write', errno: -28 });
    const files: FileHandle = Object.getPrototypeOf(handle);
    await handle.close();
    jest.spyOn(files, 'write').mockRejectedValue(fault as never);
    await supertest(service.app).post('/ingest').send({ content: 'No room.' });
    jest.restoreAllMocks();
    expect(metric(await scrape(), 'memory_storage_writable')).toBe(0);
  });

  test('says of a night that it has not done all of its work, until it has', async () => {
    const { runLog } = service.opened;
    const night = async () => {
      const families = await scrape();
      const values = (name: string) => (families.get(name)?.samples.get(name) ?? []).map(({ value }) => value);
      return [values('memory_night_unfinished'), values('memory_last_night_timestamp_seconds')];
    };
    expect(await night()).toEqual([[], []]);
    await runLog.noteNight({ startedAt: START_MS, isWhole: false });
    expect(await night()).toEqual([[1], []]);
    await runLog.noteNight({ startedAt: START_MS, isWhole: true });
    expect(await night()).toEqual([[0], [START_MS / 1_000]]);
  });

  test('names no agent and no word', async () => {
    const { text } = await supertest(service.app).get('/metrics').query({ agent_id: 'ann' });
    expect(text).not.toMatch(/secret|kettle|"ann"|"cid"/);
  });
});

describe('a scrape', () => {
  test('reads no memory, and has no more lines for more memories of more agents', async () => {
    const large = await startTestService({ embedder: null });
    const { indexes } = large.opened;
    const lines = async () => (await supertest(large.app).get('/metrics')).text.split('\n').length;
    const addUpTo = (count: number) => {
      for (let number = indexes.records.size; number < count; number++) {
        const fields = { agentId: `agent-${number % 1_000}`, sources: [], entities: [], gist: 'x', content: 'x' };
        indexes.add(sampleMemory(number, fields));
      }
    };
    addUpTo(2);
    // The first scrape is counted by the next one.
    await lines();
    const ofFew = await lines();
    addUpTo(2_000);
    const { records } = indexes;
    const reads = [jest.spyOn(records, 'at'), jest.spyOn(records, 'has'), jest.spyOn(records.order, 'snapshot')];
    expect(await lines()).toBe(ofFew);
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    jest.restoreAllMocks();
    expect(metric(await scrapeOf(large), 'memory_memories')).toBe(2_000);
    await large.close();
  });
});
