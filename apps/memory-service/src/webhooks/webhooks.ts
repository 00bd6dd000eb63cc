import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Delivery, type DeliveryDeps, type DeliveryResult } from './delivery.ts';
import { Poster } from './post.ts';
import type { Webhook } from './webhooks-file.ts';

export interface WebhooksDeps extends DeliveryDeps {
  readonly metrics: WebhookMetrics;
  /** Whether sending is this process's to do; only asked where deliveries of other processes are known. */
  readonly isOwner: () => Promise<boolean>;
  readonly allowPrivate: boolean;
  readonly lookup?: LookupFunction;
}

/** How often it is looked whether sending is this process's to do. */
const LOOK_EVERY_MS = 1_000;

/** How many there are, without their names: `/health` shows it to every agent. */
export interface WebhookFigures {
  readonly configured: number;
  readonly failing: number;
  readonly gone: number;
}

/** Sends what changes in one space to the URLs that the operator named, each by itself: a slow one holds up no other, and no stop. */
export class Webhooks {
  readonly #deliveries: readonly Delivery[];
  readonly #posters: readonly Poster[];
  readonly #ending = new AbortController();
  readonly #deps: Pick<WebhooksDeps, 'isOwner' | 'readerProgress' | 'pause' | 'feed'>;
  readonly #log: DeliveryDeps['log'];
  readonly #metrics: WebhookMetrics;
  #running: Promise<void> = Promise.resolve();

  constructor(webhooks: readonly Webhook[], { metrics, allowPrivate, lookup, isOwner, ...deps }: WebhooksDeps) {
    this.#deps = { ...deps, isOwner };
    this.#log = deps.log;
    this.#metrics = metrics;
    const options = { allowPrivate, pause: deps.pause, ...(lookup && { lookup }) };
    const made = webhooks.map((webhook) => {
      const poster = new Poster(webhook.url, options);
      return { poster, delivery: new Delivery(webhook, { ...deps, poster, note: metrics.note(webhook.name) }) };
    });
    this.#posters = made.map(({ poster }) => poster);
    this.#deliveries = made.map(({ delivery }) => delivery);
  }

  start(): void {
    if (this.#deliveries.length === 0) return;
    this.#running = this.#deps.readerProgress ? this.#sendWhileOwner() : this.#send(this.#ending.signal);
  }

  /** Aborts the notices under way. If the next run cannot tell whether events are missing, its first notice is a `reset`. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    for (const poster of this.#posters) poster.close();
    this.#hide();
  }

  /** Of several processes one sends. The others listen, so that they know what to send when it is gone. */
  async #sendWhileOwner(): Promise<void> {
    const { isOwner, pause, feed } = this.#deps;
    const ending = this.#ending.signal;
    const unsubscribe = feed.subscribe(() => {});
    const rest = () => pause(LOOK_EVERY_MS, ending).catch(() => {});
    while (!ending.aborted) {
      if (await isOwner()) {
        const term = new AbortController();
        const sent = this.#send(AbortSignal.any([ending, term.signal]));
        while (!ending.aborted && (await isOwner())) await rest();
        term.abort();
        await sent;
        this.#hide();
      }
      await rest();
    }
    unsubscribe();
  }

  async #send(signal: AbortSignal): Promise<void> {
    // Each webhook and each request under way listens for the end.
    setMaxListeners(0, signal);
    for (const delivery of this.#deliveries) this.#metrics.shown.add(delivery);
    await Promise.all(
      this.#deliveries.map((delivery) =>
        delivery
          .run(signal)
          .catch((err) => this.#log.error({ webhook: delivery.name, err }, 'a webhook has stopped by a fault')),
      ),
    );
  }

  /** From the metrics; one that is gone stays there until then. */
  #hide(): void {
    for (const delivery of this.#deliveries) this.#metrics.shown.delete(delivery);
  }

  /** Whether something is still to be sent. */
  get isBehind(): boolean {
    return this.#deliveries.some(({ isBehind }) => isBehind);
  }

  get figures(): WebhookFigures {
    const gone = this.#deliveries.filter(({ isGone }) => isGone).length;
    const failing = this.#deliveries.filter(({ isGone, failures }) => !isGone && failures > 0).length;
    return { configured: this.#deliveries.length, failing, gone };
  }
}

/** The metrics of the webhooks of all spaces. */
export interface WebhookMetrics {
  readonly note: (webhook: string) => (noted: DeliveryResult) => void;
  /** The deliveries whose state is shown. */
  readonly shown: Set<Delivery>;
}

export function webhookMetrics(registry: Registry): WebhookMetrics {
  const shown = new Set<Delivery>();
  gauges(registry, shown);
  return { note: counters(registry), shown };
}

function counters(registry: Registry): (webhook: string) => (noted: DeliveryResult) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'memory_webhook_requests_total',
    help: 'Requests to webhooks since the start: delivered, or failed and to be sent again',
    labelNames: ['webhook', 'outcome'],
    registers,
  });
  const resets = new Counter({
    name: 'memory_webhook_resets_total',
    help: 'Times that a webhook was to be told that events are missing; once at each start',
    labelNames: ['webhook'],
    registers,
  });
  return (webhook) => {
    for (const outcome of ['delivered', 'failed']) requests.inc({ webhook, outcome }, 0);
    return (noted) => (noted === 'reset' ? resets.inc({ webhook }) : requests.inc({ webhook, outcome: noted }));
  };
}

function gauges(registry: Registry, deliveries: ReadonlySet<Delivery>): void {
  const gauge = (name: string, help: string, read: (delivery: Delivery) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['webhook'],
      registers: [registry],
      collect() {
        this.reset();
        for (const delivery of deliveries) {
          const value = read(delivery);
          if (value !== null) this.set({ webhook: delivery.name }, value);
        }
      },
    });
  gauge('memory_webhook_failures', 'Failures of a webhook in a row; 0 while it works', ({ failures }) => failures);
  gauge(
    'memory_webhook_gone',
    '1 for a webhook that has answered 410: nothing is sent to it until the next start',
    ({ isGone }) => Number(isGone),
  );
  gauge(
    'memory_webhook_last_delivery_timestamp_seconds',
    'When a webhook last took something, since the epoch',
    ({ lastDeliveredAt }) => lastDeliveredAt && lastDeliveredAt / 1_000,
  );
}
