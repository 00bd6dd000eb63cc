import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { OpenSpaces } from '../../src/spaces/open-spaces.ts';
import { ManualClock } from '../../src/values/manual-clock.ts';

interface Space {
  readonly name: string;
  readonly isReal: boolean;
  readonly standIn: Space | null;
  isOpen: boolean;
  /** What it takes; the same as its `bytesWhenOpen` at first. */
  bytes: number;
}

/** Spaces that exist, and what happened to them. */
class Source {
  readonly made = new Set(['home']);
  readonly log: string[] = [];
  fault: Error | null = null;
  /** Of spaces whose name ends with a number: so many. */
  bytesWhenOpen = async (name: string): Promise<number> => Number(/\d+$/.exec(name)?.[0] ?? 0);
  exists = (name: string) => this.made.has(name);
  names = () => [...this.made];
  open = async (name: string, standIn: Space | null): Promise<Space> => {
    this.log.push(`open ${name}`);
    await Promise.resolve();
    if (this.fault) throw this.fault;
    this.made.add(name);
    return { name, isReal: true, standIn, isOpen: true, bytes: await this.bytesWhenOpen(name) };
  };
  discard = (space: Space): void => {
    this.log.push(`discard ${space.name}`);
    space.isOpen = false;
    this.made.delete(space.name);
  };
  standIn = (name: string): Space => ({ name, isReal: false, standIn: null, isOpen: true, bytes: 0 });
  close = async (space: Space): Promise<void> => {
    this.log.push(`close ${space.name}`);
    await Promise.resolve();
    space.isOpen = false;
  };
}

let source: Source;
let clock: ManualClock;
let registry: Registry;
/** Of those who wait for room; ended at once, unless a test says otherwise. */
let patience: Promise<void>;
let spaces: OpenSpaces<Space>;
/** What `isTooSmall` was told. */
let tooSmall: unknown[];
const build = ({ mostOpen = 3, mostSpaces = 5, mostBytes = 0 } = {}) => {
  tooSmall = [];
  const home = { name: 'home', space: { name: 'home', isReal: true, standIn: null, isOpen: true, bytes: 0 } };
  registry = new Registry();
  spaces = new OpenSpaces({
    source,
    clock,
    registry,
    prefix: 'x',
    home,
    mostOpen,
    mostSpaces,
    idleMs: 1_000,
    pause: () => patience,
    ...(mostBytes > 0 && {
      room: { mostBytes, bytesOf: ({ bytes }: Space) => bytes, isTooSmall: (about) => void tooSmall.push(about) },
    }),
  });
};
beforeEach(() => {
  source = new Source();
  clock = new ManualClock(0);
  patience = Promise.resolve();
  build();
});

const read = (name: string) => spaces.use(name, { makes: false }, (space) => space);
const write = (name: string) => spaces.use(name, { makes: true }, (space) => space);
/** Uses a space until it is let go. */
async function hold(name: string) {
  let letGo = () => {};
  const held = await new Promise<{ space: Space; done: Promise<void> }>((resolve, reject) => {
    const done = spaces.use(name, { makes: true }, async (space) => {
      const gone = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      queueMicrotask(() => resolve({ space, done }));
      await gone;
    });
    done.catch(reject);
  });
  return {
    space: held.space,
    end: async () => {
      letGo();
      await held.done;
    },
  };
}

describe('a space', () => {
  test('is made by the first write, and empty before', async () => {
    expect(await read('a')).toMatchObject({ name: 'a', isReal: false });
    expect(source.made).not.toContain('a');
    const made = await write('a');
    expect(made).toMatchObject({ name: 'a', isReal: true, standIn: null });
    expect(await read('a')).toBe(made);
    expect(source.log).toEqual(['open a']);
  });

  test('takes the place of its stand-in while that is in use', async () => {
    let standIn: Space | null = null;
    await spaces.use('a', { makes: false }, async (before) => {
      standIn = before;
      expect((await write('a')).standIn).toBe(before);
      expect(await read('a')).toMatchObject({ isReal: true });
      clock.advance(5_000);
      await spaces.closeIdle();
      expect(spaces.open).toHaveLength(2);
    });
    await spaces.closeIdle();
    expect(spaces.open).toHaveLength(2);
    expect(standIn).toMatchObject({ isReal: false });
    clock.advance(5_000);
    await spaces.closeIdle();
    expect(spaces.open).toHaveLength(1);
  });

  test('that another process has made takes the place of its stand-in, while that is in use', async () => {
    await spaces.use('a', { makes: false }, async () => {
      expect(await read('a')).toMatchObject({ isReal: false });
      source.made.add('a');
      expect(await read('a')).toMatchObject({ isReal: true });
    });
  });

  test('is not made by what is refused', async () => {
    const refused = (makes: boolean) =>
      spaces.use('a', { makes }, async (space) => {
        expect(space.isReal).toBe(makes);
        throw new Error('refused');
      });
    await expect(refused(true)).rejects.toThrow('refused');
    expect(source.log).toEqual(['open a', 'discard a']);
    expect(await read('a')).toMatchObject({ isReal: false });
    await write('a');
    await expect(refused(true)).rejects.toThrow('refused');
    expect(source.log.slice(2)).toEqual(['open a']);
  });

  test('is not made by what writes nothing', async () => {
    const asked = (hasWritten: boolean) => spaces.use('a', { makes: true, hasWritten: () => hasWritten }, () => 'done');
    expect(await asked(false)).toBe('done');
    expect(source.log).toEqual(['open a', 'discard a']);
    for (const hasWritten of [true, false]) expect(await asked(hasWritten)).toBe('done');
    expect(source.log.slice(2)).toEqual(['open a']);
  });

  test('is kept where one of two that came together was not refused', async () => {
    const held = await hold('a');
    await expect(spaces.use('a', { makes: true }, () => Promise.reject(new Error('refused')))).rejects.toThrow();
    await held.end();
    expect(source.log).toEqual(['open a']);
  });

  test('is opened once for all who ask at the same time', async () => {
    const found = await Promise.all([write('a'), read('a'), write('a')]);
    expect(new Set(found.filter(({ isReal }) => isReal)).size).toBe(1);
    expect(source.log).toEqual(['open a']);
  });

  test('is tried again after it could not be opened', async () => {
    source.fault = new Error('the disk is full');
    await expect(write('a')).rejects.toThrow('the disk is full');
    source.fault = null;
    expect(await write('a')).toMatchObject({ isReal: true });
  });
});

describe('room', () => {
  test('is made by closing the one that was used longest ago and that nobody uses', async () => {
    await write('a');
    const held = await hold('b');
    await write('a');
    await write('c');
    expect(source.log).toEqual(['open a', 'open b', 'close a', 'open c']);
    expect(held.space.isOpen).toBe(true);
    await held.end();
  });

  test('is refused when all are in use', async () => {
    const [a, b] = [await hold('a'), await hold('b')];
    await expect(write('c')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('All of the 3 spaces'),
    });
    await a.end();
    expect(await write('c')).toMatchObject({ isReal: true });
    await b.end();
  });

  test('waits until one of those in use is let go', async () => {
    patience = new Promise(() => {});
    const [a, b] = [await hold('a'), await hold('b')];
    const waiting = [write('c'), write('d')];
    await a.end();
    await b.end();
    expect(await Promise.all(waiting)).toMatchObject([{ name: 'c' }, { name: 'd' }]);
    expect(spaces.open).toHaveLength(3);
  });

  test('is taken in turn by many who use more spaces than fit, each for a moment', async () => {
    patience = new Promise(() => {});
    build({ mostSpaces: 9 });
    const { open } = source;
    source.open = async (name, standIn) => {
      await nextTurn();
      return await open(name, standIn);
    };
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const worker = async (first: number) => {
      for (let use = 0; use < 20; use++) {
        const name = names[(first + use * 3) % names.length] as string;
        await spaces.use(name, { makes: true }, async (space) => {
          expect([space.name, space.isOpen, spaces.open.length <= 3]).toEqual([name, true, true]);
          await nextTurn();
        });
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, first) => worker(first)));
    // Each use opens a space once at most.
    expect(source.log.filter((line) => line.startsWith('open')).length).toBeLessThanOrEqual(200);
  });

  test('that one had which could not be opened goes to who waits for it', async () => {
    patience = new Promise(() => {});
    const held = await hold('a');
    const { open } = source;
    source.open = async (name, standIn) => {
      if (name === 'b') throw new Error('the disk is full');
      return await open(name, standIn);
    };
    const refused = write('b');
    const waiting = write('c');
    await expect(refused).rejects.toThrow('the disk is full');
    expect(await waiting).toMatchObject({ name: 'c', isReal: true });
    await held.end();
  });

  test('is there again after the one that was to go for it could not be closed', async () => {
    build({ mostOpen: 2 });
    await write('a');
    const { close } = source;
    source.close = async () => {
      throw new Error('the disk is full');
    };
    await expect(write('b')).rejects.toThrow('the disk is full');
    source.close = close;
    expect(await write('b')).toMatchObject({ name: 'b', isReal: true });
  });

  test('is there for no more spaces than may exist', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await write(name);
    await expect(write('e')).rejects.toMatchObject({ code: 'too_many_spaces' });
    expect(await read('e')).toMatchObject({ isReal: false });
    expect(await write('a')).toMatchObject({ isReal: true });
    build({ mostSpaces: 6 });
    const results = await Promise.allSettled([write('e'), write('f')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('one that nobody has used for a while is closed, but never the home', async () => {
  await write('a');
  clock.advance(600);
  await write('b');
  const held = await hold('c');
  clock.advance(500);
  await spaces.closeIdle();
  expect(source.log.filter((line) => line.startsWith('close'))).toEqual(['close a']);
  clock.advance(5_000);
  await spaces.closeIdle();
  expect(spaces.open.map(({ name }) => name).sort()).toEqual(['c', 'home']);
  await held.end();
});

test('work in all spaces opens those that are closed one at a time, and closes them again', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await write(name);
  source.log.length = 0;
  const seen: string[] = [];
  const faults: string[] = [];
  await spaces.each(
    async (_space, name) => {
      seen.push(name);
      expect(spaces.open.length).toBeLessThanOrEqual(3);
      if (name === 'b') throw new Error('no');
    },
    (_error, name) => faults.push(name),
  );
  expect([seen.sort(), faults]).toEqual([['a', 'b', 'c', 'd', 'home'], ['b']]);
  seen.length = 0;
  await spaces.eachOpen(
    async (_space, name) => void seen.push(name),
    (error) => {
      throw error;
    },
  );
  expect(seen.sort()).toEqual(spaces.open.map(({ name }) => name).sort());
});

test('the end closes all', async () => {
  const [a, home] = [await write('a'), await read('home')];
  await spaces.closeAll();
  expect([a.isOpen, home.isOpen]).toEqual([false, false]);
});

test('its metrics count those that are open', async () => {
  for (const name of ['a', 'b', 'c']) await write(name);
  await read('nothing');
  expect(await registry.metrics()).toMatch(
    /x_spaces_open 3[\s\S]*x_spaces_opened_total 3[\s\S]*x_space_open_seconds_count 3/,
  );
});

test('whatever is asked for at the same time, nobody gets one that is closed', async () => {
  const step = fc.record({
    name: fc.constantFrom('home', 'a', 'b', 'c', 'd', 'e'),
    makes: fc.boolean(),
    turns: fc.integer({ min: 0, max: 6 }),
    idle: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      source = new Source();
      build({ mostOpen: 3, mostSpaces: 5 });
      const uses = steps.map(async ({ name, makes, turns, idle }) => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        if (idle) {
          clock.advance(400);
          await spaces.closeIdle();
        }
        await spaces.use(name, { makes }, async (space) => {
          for (let turn = 0; turn < turns; turn++) {
            await Promise.resolve();
            if (!space.isOpen) throw new Error(`${name} was closed while it was used`);
          }
          expect(space.name).toBe(name);
        });
      });
      const results = await Promise.allSettled(uses);
      for (const result of results) {
        if (result.status === 'rejected') expect(['unavailable', 'too_many_spaces']).toContain(result.reason.code);
      }
      expect(spaces.open.length).toBeLessThanOrEqual(3);
      expect(source.made.size).toBeLessThanOrEqual(5);
      const opened = (what: string) => source.log.filter((line) => line.startsWith(what)).length;
      expect(spaces.open.length).toBe(1 + opened('open') - opened('close') - opened('discard'));
    }),
    { numRuns: 300 },
  );
});

describe('spaces that take memory', () => {
  const opened = () => spaces.open.map(({ name }) => name).sort();

  test('are closed where the next one would pass the limit, that of the longest ago first', async () => {
    build({ mostOpen: 9, mostSpaces: 9, mostBytes: 100 });
    for (const name of ['a-40', 'b-30', 'c-30']) await write(name);
    await read('a-40');
    await write('d-20');
    expect(opened()).toEqual(['a-40', 'c-30', 'd-20', 'home']);
    await write('e-60');
    expect(opened()).toEqual(['d-20', 'e-60', 'home']);
    expect(tooSmall).toEqual([]);
  });

  test('stay open while they are used, and the next one opens all the same, which is told', async () => {
    build({ mostOpen: 9, mostSpaces: 9, mostBytes: 100 });
    const held = await hold('a-70');
    await write('b-40');
    expect(opened()).toEqual(['a-70', 'b-40', 'home']);
    expect(tooSmall).toEqual([{ space: 'b-40', bytes: 40, mostBytes: 100 }]);
    await held.end();
    await spaces.closeIdle();
    expect(opened()).toEqual(['a-70', 'home']);
  });

  test('of which one alone is larger than the limit: it opens alone', async () => {
    build({ mostOpen: 9, mostSpaces: 9, mostBytes: 100 });
    await write('a-10');
    await write('b-300');
    expect(opened()).toEqual(['b-300', 'home']);
    expect(tooSmall).toEqual([{ space: 'b-300', bytes: 300, mostBytes: 100 }]);
  });

  test('have grown since they were opened: room is made for all that are open', async () => {
    build({ mostOpen: 9, mostSpaces: 9, mostBytes: 100 });
    for (const name of ['a-40', 'b-30']) await write(name);
    (await read('a-40')).bytes = 90;
    await spaces.closeIdle();
    expect(opened()).toEqual(['a-40', 'home']);
    expect(await registry.metrics()).toMatch(/x_spaces_bytes 90\n[\s\S]*x_spaces_bytes_limit 100\n/);
  });

  test('that are opened at the same time count together', async () => {
    build({ mostOpen: 9, mostSpaces: 9, mostBytes: 100 });
    await write('a-40');
    await Promise.all([write('b-50'), write('c-50')]);
    expect(opened()).toEqual(['b-50', 'c-50', 'home']);
  });
});
