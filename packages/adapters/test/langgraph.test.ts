import { type MemoryClient, memoryClient } from '@agent-faculties/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AsyncBatchedStore, InMemoryStore, InvalidNamespaceError, type Item } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import { MemoryServiceStore, type MemoryServiceStoreOptions } from '../src/langgraph.ts';

let services: LiveServices;
let client: MemoryClient;
let collections = 0;
beforeAll(async () => {
  services = await startLiveServices();
  client = memoryClient({ url: services.memoryUrl, agentId: 'graph' });
});
afterAll(() => services.close());

const fresh = (options: MemoryServiceStoreOptions = {}) =>
  new MemoryServiceStore(client, { collection: `store-${++collections}`, ...options });
const keysOf = (items: readonly Item[]) => items.map(({ namespace, key }) => [...namespace, key].join('/')).sort();

describe('the store', () => {
  test('keeps, changes and deletes an item', async () => {
    const store = fresh();
    const namespace = ['users', 'dana'];
    expect(await store.get(namespace, 'food')).toBeNull();
    await store.put(namespace, 'food', { likes: 'pizza', times: 3, deep: { list: [1, null, 'x'] } });
    const item = await store.get(namespace, 'food');
    expect(item).toEqual({
      namespace,
      key: 'food',
      value: { likes: 'pizza', times: 3, deep: { list: [1, null, 'x'] } },
      createdAt: new Date('2026-11-21T09:30:00.123Z'),
      updatedAt: new Date('2026-11-21T09:30:00.123Z'),
    });
    await store.put(namespace, 'food', { likes: 'soup' });
    expect(await store.get(namespace, 'food')).toMatchObject({ value: { likes: 'soup' }, createdAt: item?.createdAt });
    expect(await store.search(['users'])).toHaveLength(1);
    await store.delete(namespace, 'food');
    await store.delete(namespace, 'food');
    expect(await store.get(namespace, 'food')).toBeNull();
  });

  test('makes an item stay to which Python gave a time to live', async () => {
    const store = fresh();
    await store.put(['users'], 'food', { likes: 'pizza' });
    const tag = `store-${collections}:users/food`;
    const {
      memories: [before],
    } = await client.listMemories({ tag });
    await client.updateMemory({ id: String(before?.id), expires_at: '2026-11-21T10:30:00.000Z' });
    await store.put(['users'], 'food', { likes: 'soup' });
    expect((await client.listMemories({ tag })).memories).toMatchObject([{ id: before?.id, expires_at: null }]);
  });

  test('finds items by what they say, within a namespace, and every agent recalls them', async () => {
    const store = fresh();
    await store.put(['users', 'dana'], '1', { text: 'Dana keeps the release train on Thursdays.' });
    await store.put(['users', 'erik'], '1', { text: 'Erik keeps the release train on Fridays.' });
    await store.put(['users', 'dana'], '2', { text: 'Dana has a dog named Waldo.' });
    const [first] = await store.search(['users', 'dana'], { query: 'When does the release train leave?' });
    expect(first).toMatchObject({ namespace: ['users', 'dana'], key: '1', score: expect.any(Number) });
    expect(keysOf(await store.search(['users'], { query: 'release train', limit: 2 }))).toEqual([
      'users/dana/1',
      'users/erik/1',
    ]);
    expect(
      keysOf(
        await store.search(['users'], { query: 'release train', filter: { text: { $ne: 'x' } }, limit: 1, offset: 1 }),
      ),
    ).toHaveLength(1);
    expect(await store.search(['user'], { query: 'release train' })).toEqual([]);
    const { context } = await memoryClient({ url: services.memoryUrl, agentId: 'other' }).recall({
      query: "What is the name of Dana's dog?",
    });
    expect(context).toContain('graph: users/dana/2');
    expect(context).toContain('text: Dana has a dog named Waldo.');
  });

  test('searches the fields that it is told of', async () => {
    const store = fresh({ fields: ['title', 'chapters[*].name', 'chapters[-1].pages'] });
    const value = { title: 'Trains', chapters: [{ name: 'Steam' }, { name: 'Diesel', pages: 7 }], secret: 'Zebra' };
    const textOf = async (key: string) =>
      (await client.listMemories({ tag: `store-${collections}:a/${key}` })).memories[0]?.content;
    await store.put(['a'], 'some', value);
    expect(await textOf('some')).toBe('a/some\nTrains\nSteam\nDiesel\n7');
    await store.put(['a'], 'other', value, ['$']);
    expect(await textOf('other')).toBe(
      'a/other\ntitle: Trains\nchapters name: Steam\nchapters name: Diesel\nchapters pages: 7\nsecret: Zebra',
    );
    await store.put(['a'], 'none', value, false);
    expect(await textOf('none')).toBe('a/none');
    await store.put(['a'], 'void', { title: null }, ['title', 'no.such[2].path', 'title.x']);
    expect(await textOf('void')).toBe('a/void');
  });

  test('takes names that look alike, are long or odd for what they are', async () => {
    const store = fresh();
    const keys = [
      'a',
      'A',
      'a ',
      ' a',
      'a/b',
      '../a',
      'ä',
      '\n',
      '',
      'x'.repeat(500),
      `${'x'.repeat(500)}y`,
      '"',
      '🙂',
      'null',
    ];
    for (const key of keys) await store.put(['odd', 'b/c'], key, { same: 'words for all of them', key });
    await client.consolidate({});
    for (const key of keys) expect((await store.get(['odd', 'b/c'], key))?.value.key).toBe(key);
    expect(await store.search(['odd', 'b/c'], { limit: 50 })).toHaveLength(keys.length);
    expect(await store.search(['odd', 'b'], { limit: 50 })).toEqual([]);
    expect(await store.listNamespaces()).toEqual([['odd', 'b/c']]);
  });

  test('refuses what it cannot keep', async () => {
    const store = fresh();
    await expect(store.put(['a.b'], 'k', {})).rejects.toBeInstanceOf(InvalidNamespaceError);
    await expect(store.put([], 'k', {})).rejects.toBeInstanceOf(InvalidNamespaceError);
    await expect(store.put(['a'], 'k', { text: 'x'.repeat(70_000) })).rejects.toThrow(
      /metadata has \d+ bytes as JSON: send at most 65536/,
    );
    await expect(
      store.put(
        Array.from({ length: 61 }, () => 'a'),
        'k',
        {},
      ),
    ).rejects.toThrow('lies too deep: there may be 60 names');
    await store.put(['a'], 'k', {});
    await expect(store.search(['a'], { filter: { x: { $like: 'y' } } })).rejects.toThrow(
      'There is no operator $like: there are $eq,',
    );
    expect(() => fresh({ collection: 'a b' })).toThrow('must have 1 to 32 letters');
  });

  test('keeps one item when several put it at once', async () => {
    const stores = ['a', 'b', 'c', 'd'].map(
      (agentId) => new MemoryServiceStore(memoryClient({ url: services.memoryUrl, agentId }), { collection: 'race' }),
    );
    await Promise.all(stores.map((store, index) => store.put(['n'], 'k', { index })));
    const items = await Promise.all(stores.map((store) => store.get(['n'], 'k')));
    expect(new Set(items.map((item) => item?.value.index)).size).toBe(1);
    expect((await client.listMemories({ tag: 'race' })).total).toBe(1);
  });

  test('reads no more pages than it needs', async () => {
    const store = fresh();
    for (let n = 0; n < 12; n++) await store.put(['many'], `k${n}`, { n, even: n % 2 === 0 });
    let asked = 0;
    const counting = memoryClient({
      url: services.memoryUrl,
      fetch: (...args) => {
        asked++;
        return fetch(...args);
      },
    });
    const counted = new MemoryServiceStore(counting, { collection: `store-${collections}` });
    const keys = async (options: object) => (await counted.search(['many'], options)).map(({ key }) => key);
    expect(await keys({ limit: 2 })).toEqual(['k11', 'k10']);
    expect(await keys({ limit: 2, offset: 3 })).toEqual(['k8', 'k7']);
    expect(await keys({ limit: 2, offset: 1, filter: { even: true } })).toEqual(['k8', 'k6']);
    expect(await keys({ limit: 2, offset: 11 })).toEqual(['k0']);
    expect(await keys({ limit: 0 })).toEqual([]);
    expect(asked).toBe(5);
  });

  test('works behind the batching that LangGraph puts before it', async () => {
    const store = new AsyncBatchedStore(fresh());
    store.start();
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.put(['batch'], `k${index}`, { index })));
    const items = await Promise.all(Array.from({ length: 20 }, (_, index) => store.get(['batch'], `k${index}`)));
    expect(items.map((item) => item?.value.index)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    await store.stop();
  });
});

describe("beside LangGraph's own store in memory", () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const namespace = fc.array(label, { minLength: 1, maxLength: 3 });
  const key = fc.constantFrom('k', 'l');
  const value = fc.record({ n: fc.integer({ min: 0, max: 3 }), s: fc.constantFrom('x', 'y') });
  const filter = fc.constantFrom<Record<string, unknown> | undefined>(
    undefined,
    { s: 'x' },
    { n: { $gt: 1 } },
    { n: { $gte: 1, $lt: 3 }, s: { $ne: 'y' } },
    { n: { $lte: 0 } },
    { s: { $in: ['y'] } },
    { s: { $nin: ['y'] } },
    { s: { $eq: 'y' } },
    { missing: 1 },
  );
  const path = fc.array(fc.oneof(label, fc.constant('*')), { maxLength: 2 });
  const operation = fc.oneof(
    { weight: 3, arbitrary: fc.record({ namespace, key, value }) },
    fc.record({ namespace, key, value: fc.constant(null) }),
    fc.record({ namespace, key }),
    fc.record({ namespacePrefix: fc.array(label, { maxLength: 2 }), filter, limit: fc.constant(100) }),
    fc.record({
      matchConditions: fc.array(fc.record({ matchType: fc.constantFrom('prefix', 'suffix'), path }), { maxLength: 2 }),
      maxDepth: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 5 }),
      offset: fc.integer({ min: 0, max: 2 }),
    }),
  );

  /** Without times, and in one order: theirs lists in the order of the first put, ours the newest first. */
  const plain = (result: unknown): unknown => {
    const item = (one: unknown) => {
      const { namespace, key, value } = one as Item;
      return { namespace, key, value };
    };
    if (!Array.isArray(result)) return result ? item(result) : null;
    if (result.length === 0 || Array.isArray(result[0])) return result;
    return result.map(item).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  };

  test('every batch has the same results', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 3, maxLength: 6 }),
        async (batches) => {
          const [ours, theirs] = [fresh(), new InMemoryStore()];
          for (const batch of batches) {
            const results = await ours.batch(batch as never);
            const expected: unknown[] = [];
            // One by one, and copied: what theirs has read changes with the next put.
            const ops = [...batch.filter((op) => !('value' in op)), ...batch.filter((op) => 'value' in op)];
            for (const op of ops) expected[batch.indexOf(op)] = structuredClone((await theirs.batch([op] as never))[0]);
            expect((results as unknown[]).map(plain)).toEqual(expected.map(plain));
            // Theirs goes on listing a namespace in which nothing is left.
            const { data } = theirs as unknown as { data: Map<string, Map<string, unknown>> };
            for (const [name, items] of data) if (items.size === 0) data.delete(name);
          }
        },
      ),
      { numRuns: 15, seed: 20261122 },
    );
  });
});
