import { createHash } from 'node:crypto';
import type { Clock, Logger } from '@agent-faculties/service-kit';
import { nextTurn } from '../domain/concurrency/next-turn.ts';
import { NOBODY, type Viewer } from '../domain/memory/visibility.ts';
import type { ChangeFeed } from '../domain/space/change-feed.ts';
import type { ReaderProgress } from '../domain/space/stored-space.ts';
import { eventNotice, type Notice, resetNotice } from './notice.ts';
import type { Answer, Pause, Poster } from './post.ts';
import { pauseAfter, TRIED_FOR_MS } from './retry.ts';
import { signatureHeaders } from './signature.ts';
import type { Webhook } from './webhooks-file.ts';

export interface DeliveryDeps {
  readonly feed: ChangeFeed;
  /** How far the deliveries of other processes have come; null: there are none. */
  readonly readerProgress: ReaderProgress | null;
  readonly clock: Clock;
  readonly pause: Pause;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  readonly newId: () => string;
  readonly userAgent: string;
  readonly log: Logger;
}

/** What came of one try, or that a `reset` was due. */
export type DeliveryResult = 'delivered' | 'failed' | 'reset';

const GONE = 410;
/** How often the position of a webhook is noted. A process that takes over sends the events since then again. */
const NOTE_AFTER_MS = 2_000;

/**
 * Sends the events of a feed to one webhook, one after the other, each until it is taken. Of PRIVATE memories it knows nothing.
 * Events that cannot be sent any more, those of an earlier run among them, are replaced by one `reset`.
 */
export class Delivery {
  readonly name: string;
  readonly #readerName: string;
  readonly #webhook: Webhook;
  readonly #deps: DeliveryDeps;
  readonly #poster: Pick<Poster, 'post'>;
  readonly #note: (noted: DeliveryResult) => void;
  readonly #viewer: Viewer;
  #failures = 0;
  #lastDeliveredAt: number | null = null;
  #isGone = false;
  #isWaiting = true;
  #wake = (): void => {};
  /** The last change that was taken whole, and its note that is to come. */
  #taken = 0;
  #noting: Promise<void> | null = null;

  constructor(
    webhook: Webhook,
    { poster, note, ...deps }: DeliveryDeps & { poster: Pick<Poster, 'post'>; note: (noted: DeliveryResult) => void },
  ) {
    this.name = webhook.name;
    this.#readerName = readerNameOf(webhook);
    this.#webhook = webhook;
    this.#deps = deps;
    this.#poster = poster;
    this.#note = note;
    this.#viewer = { ...NOBODY, project: webhook.project };
  }

  /** In a row; 0 while all goes well. */
  get failures(): number {
    return this.#failures;
  }

  /** Epoch milliseconds; null before the first. */
  get lastDeliveredAt(): number | null {
    return this.#lastDeliveredAt;
  }

  /** Whether the receiver has said that it wants no more; until the next start. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether something is still to be sent. */
  get isBehind(): boolean {
    return !this.#isWaiting && !this.#isGone;
  }

  /** Resolves when the signal ends it, or the receiver does. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#deps.feed.subscribe(() => this.#wake());
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    try {
      await this.#sendOn(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
      this.#isWaiting = true;
      await this.#noting;
    }
  }

  async #sendOn(signal: AbortSignal): Promise<void> {
    // null: events are missing. What happened before this run, and was not sent, is not known here.
    let position = await this.#resumed();
    this.#isWaiting = false;
    while (!signal.aborted && !this.#isGone) {
      position = position === null ? await this.#sendReset(signal) : await this.#sendAfter(position, signal);
      if (position !== null) this.#noteTaken(position, signal);
      if (position === this.#deps.feed.position) await this.#change(signal);
    }
  }

  /** Where another process, or this one before, stopped; null where that is not known, or events since are not. */
  async #resumed(): Promise<number | null> {
    const { readerProgress, feed } = this.#deps;
    const taken = await readerProgress?.read(this.#readerName).catch(() => null);
    return taken === null || taken === undefined ? null : feed.positionAt(taken);
  }

  /** Notes soon that all up to a position was taken. */
  #noteTaken(position: number, signal: AbortSignal): void {
    const { readerProgress, feed, pause, log } = this.#deps;
    if (!readerProgress) return;
    this.#taken = feed.changeAt(position);
    this.#noting ??= pause(NOTE_AFTER_MS, signal)
      .catch(() => {})
      .then(async () => {
        this.#noting = null;
        await readerProgress.write(this.#readerName, this.#taken);
      })
      .catch((err) => log.debug({ webhook: this.name, err }, 'how far a webhook has come was not noted'));
  }

  /** The position from which events follow; null where the notice was not taken. */
  async #sendReset(signal: AbortSignal): Promise<number | null> {
    const { feed, newId, clock } = this.#deps;
    const { position } = feed;
    this.#note('reset');
    return (await this.#sendUntilTaken(resetNotice(newId(), clock.now()), signal)) ? position : null;
  }

  /** Sends the events after a position. @returns the position after the last one; null: some could not be sent */
  async #sendAfter(position: number, signal: AbortSignal): Promise<number | null> {
    const { feed, log } = this.#deps;
    const batch = feed.after(position, this.#viewer);
    if (!batch) {
      log.warn({ webhook: this.name }, 'a webhook is too far behind: a reset takes the place of the events');
      return null;
    }
    for (const event of batch.events) {
      if (!this.#webhook.events.includes(event.told.type)) continue;
      if (!(await this.#sendUntilTaken(eventNotice(event), signal))) return null;
    }
    return batch.position;
  }

  /** Resolves when something has changed, or the signal ends it. */
  async #change(signal: AbortSignal): Promise<void> {
    this.#isWaiting = true;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (signal.aborted) resolve();
    });
    this.#isWaiting = false;
    // The changes of one turn are read together, after their answers.
    await nextTurn();
  }

  /** Whether it was taken; false when the receiver is gone, or the time for it is over. */
  async #sendUntilTaken(notice: Notice, signal: AbortSignal): Promise<boolean> {
    const { clock, pause, random, log } = this.#deps;
    const begunAt = clock.now();
    for (;;) {
      const failure = await this.#send(notice, signal);
      if (failure === null) return true;
      if (this.#isGone) return false;
      if (clock.now() - begunAt >= TRIED_FOR_MS) {
        log.warn(
          { webhook: this.name, reason: failure.reason },
          'a webhook is given up: a reset takes the place of the events',
        );
        return false;
      }
      const pauseMs = pauseAfter(this.#failures, random(), failure.retryAfterSeconds);
      if (this.#failures === 1) {
        log.warn(
          { webhook: this.name, reason: failure.reason, retry_ms: pauseMs },
          'a webhook fails: it is tried again',
        );
      }
      await pause(pauseMs, signal);
    }
  }

  /** One try; null when it was taken. */
  async #send({ id, body }: Notice, signal: AbortSignal): Promise<Failure | null> {
    const { clock, userAgent, log } = this.#deps;
    const at = clock.now();
    const headers = { 'User-Agent': userAgent, ...signatureHeaders({ id, at, body }, this.#webhook.keys) };
    const failure = await this.#poster.post(body, headers, signal).then(failureOf, (error: Error): Failure => {
      signal.throwIfAborted();
      return { reason: error.message, retryAfterSeconds: null, isGone: false };
    });
    if (failure === null) {
      if (this.#failures > 0) log.info({ webhook: this.name, failures: this.#failures }, 'a webhook works again');
      this.#failures = 0;
      this.#lastDeliveredAt = clock.now();
      this.#note('delivered');
      return null;
    }
    this.#failures += 1;
    this.#note('failed');
    if (failure.isGone) {
      this.#isGone = true;
      log.warn({ webhook: this.name }, 'a webhook is gone (410): nothing is sent to it until the next start');
    }
    return failure;
  }
}

/**
 * Under which the progress of a webhook is kept. Its own name would not do: when the file is changed, another address of the same
 * host gets that name, and would take over a progress that it never made. A path may be a secret, so this is a hash.
 */
function readerNameOf({ url, project, events }: Webhook): string {
  const told = JSON.stringify([url.href, project, [...events].sort()]);
  return createHash('sha256').update(told).digest('base64url');
}

interface Failure {
  readonly reason: string;
  readonly retryAfterSeconds: number | null;
  readonly isGone: boolean;
}

function failureOf({ status, retryAfterSeconds }: Answer): Failure | null {
  if (status >= 200 && status < 300) return null;
  const hint =
    status >= 300 && status < 400 ? ': redirects are not followed, so name the address that it leads to' : '';
  return { reason: `status ${status}${hint}`, retryAfterSeconds, isGone: status === GONE };
}
