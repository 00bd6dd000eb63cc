import { type Clock, ServiceError, UnavailableError } from '@agent-faculties/service-kit';
import type { SpaceSource } from '@agent-faculties/service-kit/http';
import { withoutVectors } from './domain/embedding/text-embedding.ts';
import type { Engine } from './domain/space/engine.ts';
import { type ServedSpace, type SharedParts, serveSpace, stopJobsOf } from './served-space.ts';

interface SourceDeps {
  readonly engine: Engine;
  readonly shared: SharedParts;
  /** Called with each space that was opened. */
  readonly onOpened: (space: ServedSpace) => void;
}

/** A space that could not be opened is not tried again before that: loading one may take a while. */
const TRY_AGAIN_MS = 10_000;

/** Opens and closes spaces for `OpenSpaces`. */
export class ServedSpaceSource implements SpaceSource<ServedSpace> {
  /** What went wrong on closing. Nothing is lost, because the journal has everything. */
  readonly faults: Error[] = [];
  readonly discard?: (served: ServedSpace) => Promise<void>;
  readonly #engine: Engine;
  readonly #shared: SharedParts;
  readonly #onOpened: (space: ServedSpace) => void;
  readonly #refusals: Refusals;

  constructor({ engine, shared, onOpened }: SourceDeps) {
    this.#engine = engine;
    this.#shared = shared;
    this.#onOpened = onOpened;
    this.#refusals = new Refusals(shared.clock);
    // An engine without a disk would lose the space.
    if (engine.keeps) this.discard = (served) => this.#discard(served);
  }

  exists(name: string): Promise<boolean> {
    return this.#engine.exists(name);
  }

  names(): Promise<readonly string[]> {
    return this.#engine.names();
  }

  bytesWhenOpen(name: string): Promise<number> {
    return this.#engine.bytesWhenOpen(name);
  }

  /** @throws UnavailableError when it cannot be opened, and for a while after that */
  async open(name: string, standIn: ServedSpace | null): Promise<ServedSpace> {
    this.#refusals.check(name);
    try {
      const served = serveSpace(name, await this.#engine.open(name), { ...this.#shared, standIn });
      await served.stored.store.compareBy(served.finder.by);
      this.#onOpened(served);
      return served;
    } catch (cause) {
      this.#shared.log.error({ space: name, err: cause }, 'a space cannot be opened');
      throw this.#refusals.refuse(name, cause);
    }
  }

  standIn(name: string): ServedSpace {
    const embedding = withoutVectors(this.#shared.embedding);
    return serveSpace(name, this.#engine.empty, { ...this.#shared, embedding, standIn: null });
  }

  isBusy({ jobs, webhooks, stored: { figures } }: ServedSpace): boolean {
    return jobs.areBusy || webhooks.isBehind || figures.waitingForVectors() + figures.waitingForComparison() > 0;
  }

  async close(served: ServedSpace): Promise<void> {
    try {
      await stopJobsOf(served);
      await served.stored.close();
    } catch (err) {
      this.#shared.log.error({ space: served.name, err }, 'a space could not be saved: its journal has everything');
      this.faults.push(err as Error);
    }
  }

  /** Closes a space that this process made, and removes it if nothing was written to it: even an empty save leaves files. */
  async #discard(served: ServedSpace): Promise<void> {
    const isUntouched = served.stored.revision() === 0;
    await this.close(served);
    if (!isUntouched) return;
    await this.#engine.remove?.(served.name).catch((err) => {
      this.#shared.log.error({ space: served.name, err }, 'an empty space could not be removed');
    });
  }
}

/** Remembers which spaces could not be opened, each for a while. */
class Refusals {
  readonly #clock: Clock;
  readonly #byName = new Map<string, { readonly error: ServiceError; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws the error of a refusal that has not passed yet */
  check(name: string): void {
    const refused = this.#byName.get(name);
    if (refused && this.#clock.now() < refused.untilMs) throw refused.error;
    this.#byName.delete(name);
  }

  refuse(name: string, cause: unknown): ServiceError {
    const error = refusalOf(name, cause);
    const now = this.#clock.now();
    // Requests name what they like, and on a full disk no space is made: there is no end of names.
    for (const [other, { untilMs }] of this.#byName) if (untilMs <= now) this.#byName.delete(other);
    this.#byName.set(name, { error, untilMs: now + TRY_AGAIN_MS });
    return error;
  }
}

function refusalOf(space: string, cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new UnavailableError(
    `The space '${space}' cannot be opened, and the other spaces can. Its operator finds the reason in the log.`,
    { code: 'space_unavailable', cause },
  );
}
