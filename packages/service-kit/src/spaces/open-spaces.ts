import { setTimeout } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { ConflictError, UnavailableError } from '../problems/errors.ts';
import type { Clock } from '../values/clock.ts';
import { roomFigures, spaceFigures } from './space-figures.ts';

/** How long a request waits for room among the open spaces, so that a burst over many spaces is served and not refused. */
const PATIENCE_MS = 2_000;

/** What keeps spaces: a folder, a database. */
export interface SpaceSource<S> {
  exists(name: string): boolean | Promise<boolean>;
  /** Of all spaces that exist. */
  names(): readonly string[] | Promise<readonly string[]>;
  /**
   * Opens a space; makes it where there is none.
   * @param standIn what stood in for it until now, and may still be in use; null for none
   */
  open(name: string, standIn: S | null): Promise<S>;
  /** What answers for a space that does not exist: it is empty, and nobody writes to it. */
  standIn(name: string): S;
  /** Bytes that a space takes once it is open, about. Absent: that is not known. */
  bytesWhenOpen?(name: string): Promise<number>;
  /** Whether it has background work to do, and so stays open without requests. */
  isBusy?(space: S): boolean;
  /** Closes a space that no request uses any more. Must not throw. */
  close(space: S): void | Promise<void>;
  /** Closes a space that was made for requests which wrote nothing, and removes it if it is empty. Must not throw. */
  discard?(space: S): void | Promise<void>;
}

export interface OpenSpacesOptions<S> {
  readonly source: SpaceSource<S>;
  readonly clock: Clock;
  readonly registry: Registry;
  /** Begins the names of the metrics, such as 'timing'. */
  readonly prefix: string;
  /** Stays open, and can be closed by `closeAll` alone. */
  readonly home: { readonly name: string; readonly space: S };
  /** The most spaces that are open at once. */
  readonly mostOpen: number;
  /** A limit of their memory. Absent: only their number is limited. */
  readonly room?: SpaceRoom<S> | undefined;
  /** The most spaces that exist. */
  readonly mostSpaces: number;
  /** A space without requests for this long is closed. */
  readonly idleMs: number;
  /** Waits; by default on the timer of the process, which does not keep that alive. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** How much memory the open spaces may take together, about. */
export interface SpaceRoom<S> {
  readonly mostBytes: number;
  /** What one takes now. Must be quick. */
  bytesOf(space: S): number;
  /** Told of a space for which there is too little room, though no other one can be closed; it is opened all the same. */
  isTooSmall(about: { readonly space: string; readonly bytes: number; readonly mostBytes: number }): void;
}

type Work<S> = (space: S, name: string) => Promise<void>;

interface Entry<S> {
  space: S;
  isReal: boolean;
  /** Made by this process, and nothing was written to it so far. */
  isUnproven: boolean;
  users: number;
  usedAtMs: number;
}

/**
 * The spaces that this process has open. One is opened when it is used, made when it is written to for the first time, and closed
 * when nobody has used it for a while or another one needs its room. Until it is made, something empty stands in for it.
 */
export class OpenSpaces<S> {
  readonly #options: OpenSpacesOptions<S>;
  /** In the order of their last use, that of the longest ago first. */
  readonly #entries = new Map<string, Entry<S>>();
  /** Those that are being opened or closed. */
  readonly #busy = new Map<string, Promise<unknown>>();
  /** Those that have room and are being opened. */
  #opening = 0;
  /** What those that are being opened will take. */
  #bytesOpening = 0;
  /** Wake those who wait for room when nobody uses some space any more, or one could not be opened. */
  readonly #waiting = new Set<() => void>();
  readonly #making = new Set<string>();
  /** How many are about to use a space: who waits for room must not close what was just opened for them. */
  readonly #entering = new Map<string, number>();
  readonly #figures: ReturnType<typeof spaceFigures>;

  constructor(options: OpenSpacesOptions<S>) {
    this.#options = options;
    const { home, clock, registry, prefix } = options;
    this.#entries.set(home.name, {
      space: home.space,
      isReal: true,
      isUnproven: false,
      users: 1,
      usedAtMs: clock.now(),
    });
    this.#figures = spaceFigures({ registry, prefix, open: () => this.open.length });
    if (options.room) roomFigures({ registry, prefix, mostBytes: options.room.mostBytes, bytes: () => this.#bytes() });
  }

  /** Whether one is open, and no stand-in. */
  isOpen(name: string): boolean {
    return this.#entries.get(name)?.isReal === true;
  }

  /** Those that are open, stand-ins left out. */
  get open(): S[] {
    return [...this.#entries.values()].filter(({ isReal }) => isReal).map(({ space }) => space);
  }

  /**
   * Does something in a space, which stays open until that is done.
   * @param makes whether the space is made where there is none; one that was made for nothing is removed again
   * @param hasWritten asked when the work has not rejected: whether it wrote anything. Absent: it did
   * @throws ConflictError where there are too many, UnavailableError where too many are in use, or what the source throws
   */
  async use<Result>(
    name: string,
    { makes, hasWritten = () => true }: { readonly makes: boolean; readonly hasWritten?: (() => boolean) | undefined },
    work: (space: S) => Result | Promise<Result>,
  ): Promise<Result> {
    const entry = await this.#enter(name, { makes });
    try {
      const result = await work(entry.space);
      if (hasWritten()) entry.isUnproven = false;
      return result;
    } finally {
      this.#leave(name, entry);
      if (entry.isUnproven && this.#options.source.discard) await this.#closeUnused(name);
    }
  }

  /**
   * Does something in every space, or in those that are wanted, one after the other. One that was not open is closed again.
   * @param isWanted asked of each before it is opened
   * @param failed told of a space in which it failed; the others go on
   */
  async each(
    work: Work<S>,
    failed: (error: unknown, name: string) => void,
    isWanted: (name: string) => Promise<boolean> = async () => true,
  ): Promise<void> {
    for (const name of await this.#options.source.names()) {
      try {
        if (!(await isWanted(name))) continue;
        if (this.#entries.get(name)?.isReal) {
          await this.#visit(name, work);
        } else {
          await this.use(name, { makes: false }, (space) => work(space, name));
          await this.#closeUnused(name);
        }
      } catch (error) {
        failed(error, name);
      }
    }
  }

  /** Does the same in those that are open. */
  async eachOpen(work: Work<S>, failed: (error: unknown, name: string) => void): Promise<void> {
    for (const name of [...this.#entries.keys()]) {
      try {
        await this.#visit(name, work);
      } catch (error) {
        failed(error, name);
      }
    }
  }

  /** Holds a space that is open, without that it counts as used: it is closed as soon as if nobody had come. */
  async #visit(name: string, work: Work<S>): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry?.isReal) return;
    entry.users++;
    try {
      await work(entry.space, name);
    } finally {
      this.#countOut(entry);
    }
  }

  /** Closes those that nobody has used for long, and those for which there is no room any more, because others have grown. */
  async closeIdle(): Promise<void> {
    const { source, clock, idleMs } = this.#options;
    const before = clock.now() - idleMs;
    for (const [name, { space, isReal, usedAtMs }] of [...this.#entries]) {
      if (isReal && usedAtMs <= before && !source.isBusy?.(space)) await this.#closeUnused(name);
    }
    await this.#closeUntilAllFit();
  }

  /** For the end of the process, whoever uses them. */
  async closeAll(): Promise<void> {
    if (this.#busy.size > 0) await Promise.allSettled(this.#busy.values());
    const entries = [...this.#entries.values()].filter(({ isReal }) => isReal);
    this.#entries.clear();
    await Promise.all(entries.map(async ({ space }) => this.#options.source.close(space)));
  }

  async #enter(name: string, { makes }: { makes: boolean }): Promise<Entry<S>> {
    this.#entering.set(name, (this.#entering.get(name) ?? 0) + 1);
    try {
      for (let isLookedFor = false; ; isLookedFor = true) {
        const entry = this.#entries.get(name);
        // What a stand-in stands in for may exist by now: another process has made it.
        if (entry && (entry.isReal || (isLookedFor && !makes))) {
          entry.users++;
          return entry;
        }
        await (this.#busy.get(name) ?? this.#alone(name, () => this.#admit(name, { makes })));
      }
    } finally {
      const others = (this.#entering.get(name) as number) - 1;
      if (others > 0) this.#entering.set(name, others);
      else this.#entering.delete(name);
    }
  }

  /** Keeps others from opening or closing the same space meanwhile. */
  async #alone(name: string, work: () => Promise<void>): Promise<void> {
    const done = work().finally(() => this.#busy.delete(name));
    this.#busy.set(name, done);
    await done;
  }

  async #admit(name: string, { makes }: { makes: boolean }): Promise<void> {
    const { source, clock } = this.#options;
    const exists = await source.exists(name);
    if (exists) await this.#openOne(name);
    else if (makes) await this.#makeOne(name);
    else if (!this.#entries.has(name)) {
      const space = source.standIn(name);
      this.#entries.set(name, { space, isReal: false, isUnproven: false, users: 0, usedAtMs: clock.now() });
    }
  }

  async #makeOne(name: string): Promise<void> {
    const { source, mostSpaces } = this.#options;
    this.#making.add(name);
    try {
      if (new Set([...(await source.names()), ...this.#making]).size > mostSpaces) {
        throw new ConflictError(
          `There are ${mostSpaces} spaces, and no more are made: name one that is there, or have the operator raise --max-spaces.`,
          { code: 'too_many_spaces' },
        );
      }
      await this.#openOne(name, { isUnproven: true });
    } finally {
      this.#making.delete(name);
    }
  }

  async #openOne(name: string, { isUnproven } = { isUnproven: false }): Promise<void> {
    const { source, clock } = this.#options;
    const { closing } = await this.#takeRoom();
    let bytes = 0;
    try {
      await closing;
      bytes = await this.#bytesWhenOpen(name);
      this.#bytesOpening += bytes;
      await this.#makeRoomFor(name, bytes);
      const startedMs = clock.now();
      const standIn = this.#entries.get(name);
      const space = await source.open(name, standIn?.space ?? null);
      this.#figures.opened.inc();
      this.#figures.seconds.observe(Math.max(0, clock.now() - startedMs) / 1000);
      // Whoever still uses the stand-in keeps the space open: a stream on it goes on.
      const entry = standIn ?? { users: 0 };
      this.#entries.set(name, Object.assign(entry, { space, isReal: true, isUnproven, usedAtMs: clock.now() }));
    } finally {
      // In the turn in which it counts as open.
      this.#opening--;
      this.#bytesOpening -= bytes;
      this.#wakeWaiting();
    }
  }

  /**
   * Counts one as opening once there is room for it: those who wait take none, or a burst of them would wait for each other. `closing`
   * is the end of the one that goes for it.
   */
  async #takeRoom(): Promise<{ closing: Promise<void> | null }> {
    const { mostOpen, pause = processPause } = this.#options;
    let patience: Promise<false> | undefined;
    while (this.open.length + this.#opening >= mostOpen) {
      const unused = this.#longestUnused;
      if (unused !== undefined) {
        const closing = this.#closeUnused(unused);
        // In the turn in which that one no longer counts, so that nobody else takes its room.
        this.#opening++;
        return { closing };
      }
      patience ??= pause(PATIENCE_MS).then(() => false as const);
      if (!(await this.#departureWithin(patience))) {
        throw new UnavailableError(
          `All of the ${mostOpen} spaces that may be open at a time are in use: send it again in a moment, or have the operator raise --open-spaces.`,
        );
      }
    }
    this.#opening++;
    return { closing: null };
  }

  get #longestUnused(): string | undefined {
    const entries = [...this.#entries];
    return entries.find(([name, { isReal, users }]) => isReal && users === 0 && !this.#isAwaited(name))?.[0];
  }

  #isAwaited(name: string): boolean {
    return this.#busy.has(name) || this.#entering.has(name);
  }

  async #bytesWhenOpen(name: string): Promise<number> {
    const { room, source } = this.#options;
    return room && source.bytesWhenOpen ? await source.bytesWhenOpen(name) : 0;
  }

  /** @param bytes that count as taken already */
  async #makeRoomFor(space: string, bytes: number): Promise<void> {
    const { room } = this.#options;
    if (!(await this.#closeUntilAllFit())) room?.isTooSmall({ space, bytes, mostBytes: room.mostBytes });
  }

  /** Closes those that were used longest ago until all fit. @returns whether they do */
  async #closeUntilAllFit(): Promise<boolean> {
    const mostBytes = this.#options.room?.mostBytes ?? Number.POSITIVE_INFINITY;
    while (this.#bytes() > mostBytes) {
      const unused = this.#longestUnused;
      if (unused === undefined) return false;
      await this.#closeUnused(unused);
    }
    return true;
  }

  #bytes(): number {
    const { room } = this.#options;
    return room ? this.open.reduce((sum, space) => sum + room.bytesOf(space), this.#bytesOpening) : 0;
  }

  /** @returns whether nobody uses some space any more; false when patience ends before */
  async #departureWithin(patience: Promise<false>): Promise<boolean> {
    let wake = () => {};
    const departure = new Promise<true>((resolve) => {
      wake = () => resolve(true);
    });
    this.#waiting.add(wake);
    try {
      return await Promise.race([departure, patience]);
    } finally {
      this.#waiting.delete(wake);
    }
  }

  #leave(name: string, entry: Entry<S>): void {
    this.#countOut(entry);
    entry.usedAtMs = this.#options.clock.now();
    if (this.#entries.get(name) !== entry) return;
    this.#entries.delete(name);
    if (entry.isReal || entry.users > 0) this.#entries.set(name, entry);
  }

  #countOut(entry: Entry<S>): void {
    entry.users--;
    if (entry.users === 0) this.#wakeWaiting();
  }

  #wakeWaiting(): void {
    for (const wake of this.#waiting) wake();
  }

  async #closeUnused(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry?.isReal || entry.users > 0 || this.#isAwaited(name)) return;
    this.#entries.delete(name);
    await this.#alone(name, async () => {
      const { source } = this.#options;
      if (entry.isUnproven && source.discard) await source.discard(entry.space);
      else await source.close(entry.space);
    });
  }
}

async function processPause(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds, undefined, { ref: false });
}
