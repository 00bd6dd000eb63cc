// Replicas of a service over two servers of PostgreSQL, each behind a PgBouncer of its own where one is asked for, and what happens to
// them: one fault a round, drawn by a seed.
import { setTimeout as sleep } from 'node:timers/promises';
import { pgbouncerVersion, startPgbouncer } from '../../../packages/testing/dist/index.js';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { CUTS, cuttingProxy } from './cutting-proxy.mjs';
import { startDatabasePair } from './database-pair.mjs';
import { requester, scratchFolder } from './service.mjs';

export const REPLICAS = 3;
/** What a script of replicas under faults is told. */
export const OPTIONS = /** @type {const} */ ({
  rounds: { type: 'string', default: '20' },
  clients: { type: 'string', default: '16' },
  pause: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  pooler: { type: 'string' },
});

/** Each fault as often as it comes in ten rounds. */
const DECK = {
  'replica killed': 3,
  'commit cut': 3,
  'server killed': 1,
  'standby away': 1,
  'standby promoted': 1,
  'replica paused': 1,
};
/** And with a pooler. */
const DECK_OF_POOLER = { 'pooler killed': 1, 'pooler paused': 1, 'pooler reconnects': 1 };
/** Its own 15 s would keep every replica waiting for so long after a failover. */
const POOLER_SETTINGS = ['server_login_retry=1', 'max_client_conn=200'];
const POOLER_PAUSE_MS = 3_000;
/** Between two faults. */
const ROUND_MS = 4_000;
const DOWN_MS = 1_000;
/** Shorter than what a client waits for an answer, and longer. */
const STANDBY_AWAY_MS = [2_000, 12_000];
/** A client that a replica does not answer goes to another one. */
const LIMIT_MS = 10_000;
/** For an answer once no fault comes any more. */
const PATIENCE_MS = 300_000;
const REFUSED_PAUSE_MS = 100;
const CONNECTIONS = 32;

/**
 * @param start starts a replica on the store of this URL; resolves as `startProcess`
 * @param markers in the statements with which a connection may break
 * @param pauseSeconds how long a replica stands still
 * @param pooler the mode of PgBouncer; absent: there is none
 * @param extension that the database has; absent: none
 */
export async function startReplicasUnderFaults({ start, markers, seed, pauseSeconds, pooler, extension = null }) {
  const random = seededRandom(seed);
  const pair = await startDatabasePair(scratchFolder());
  if (extension) pair.sql(`CREATE EXTENSION ${extension}`);
  const poolers = [];
  if (pooler) {
    const about = { mode: pooler, user: pair.user, settings: POOLER_SETTINGS };
    for (const port of pair.ports) poolers.push(await startPgbouncer({ port, ...about }));
  }
  const ports = pooler ? poolers.map(({ port }) => port) : pair.ports;
  const cards = pooler ? { ...DECK, ...DECK_OF_POOLER } : DECK;
  const proxies = [];
  const urlAt = (at) => pair.url(proxies[at % REPLICAS].map(({ port }) => port));
  const startAt = async (at) => {
    const process = await start(urlAt(at));
    return { process, client: requester(process.url, { connections: CONNECTIONS, limitMs: LIMIT_MS }) };
  };
  const slots = [];
  for (let at = 0; at < REPLICAS; at++) {
    proxies.push(await Promise.all(ports.map((port) => cuttingProxy(port, markers))));
    slots.push(await startAt(at));
  }
  const done = Object.fromEntries(Object.keys(cards).map((what) => [what, 0]));
  const faults = { unexpected: [], refused: 0 };
  let pausing = Promise.resolve();
  let paused = -1;

  const anyReplica = () => Math.floor(random() * REPLICAS);
  const anyPooler = () => poolers[Math.floor(random() * poolers.length)];
  const strikes = {
    'replica killed': async () => {
      let at = anyReplica();
      if (at === paused) at = (at + 1) % REPLICAS;
      await slots[at].process.kill();
      await sleep(DOWN_MS);
      slots[at].client.close();
      slots[at] = await startAt(at);
    },
    'commit cut': async () => {
      for (const line of proxies.flat()) line.cutNext(CUTS[Math.floor(random() * CUTS.length)]);
    },
    'server killed': async () => {
      await pair.first.kill();
      await sleep(DOWN_MS);
      await pair.first.start();
    },
    'standby away': async () => {
      await pair.second.kill();
      await sleep(STANDBY_AWAY_MS[Math.floor(random() * STANDBY_AWAY_MS.length)]);
      await pair.second.start();
      await pair.untilBothHaveIt();
    },
    'standby promoted': async () => {
      await pair.failOver();
      await sleep(DOWN_MS);
      await pair.standAgain();
    },
    'pooler killed': async () => {
      const one = anyPooler();
      await one.kill();
      await sleep(DOWN_MS);
      await one.startAgain();
    },
    'pooler paused': async () => {
      const one = anyPooler();
      // It waits for the transactions under way, which may wait for a standby.
      const pausing = one.tell('PAUSE').catch(() => {});
      await sleep(POOLER_PAUSE_MS);
      await one.tell('RESUME');
      await pausing;
    },
    'pooler reconnects': async () => {
      for (const one of poolers) await one.tell('RECONNECT');
    },
    // Goes on while others happen.
    'replica paused': async () => {
      const at = anyReplica();
      pausing = pausing.then(async () => {
        const { process } = slots[at];
        paused = at;
        process.child.kill('SIGSTOP');
        await sleep(pauseSeconds * 1_000);
        process.child.kill('SIGCONT');
        paused = -1;
      });
    },
  };

  return {
    slots,
    database: pooler ? `${pair.version}, ${pgbouncerVersion()} in ${pooler} mode` : pair.version,
    sql: pair.sql,
    /** Of the store, for one more process. */
    url: () => urlAt(anyReplica()),
    /** Sends until a replica answers, as a client with an idempotency key does; the first one is that of the number `from`. */
    insist: async (send, from) => {
      for (let at = from % REPLICAS, attempts = 1; ; at = (at + 1) % REPLICAS, attempts++) {
        const answer = await send(slots[at].client).catch(() => null);
        if (answer && answer.status < 500) return { answer, at, attempts };
        if (answer && answer.status !== 503)
          faults.unexpected.push(`${answer.status} ${answer.text} ${slots[at].process.words.slice(-2).join(' ')}`);
        faults.refused++;
        await sleep(REFUSED_PAUSE_MS);
      }
    },
    /** Lets so many faults happen; resolves when all of it is over. */
    suffer: async (rounds) => {
      let deck = [];
      for (let round = 1; round <= rounds; round++) {
        if (deck.length === 0) deck = shuffled(cards, random);
        const what = deck.pop();
        console.log(`   ${new Date().toISOString().slice(11, 19)} ${round}: ${what}`);
        await strikes[what]();
        done[what]++;
        await sleep(ROUND_MS);
      }
      await pausing;
      // One that is still to come would break whatever is asked next.
      for (const line of proxies.flat()) line.cutNext(null);
    },
    /** One more, which has seen nothing of all that. */
    startNew: async () => {
      slots.push(await startAt(REPLICAS));
      // From now on it counts what they answer, and not how soon.
      for (const slot of slots) {
        slot.client.close();
        slot.client = requester(slot.process.url, { connections: CONNECTIONS, limitMs: PATIENCE_MS });
      }
    },
    describe: (report) => {
      const counts = Object.entries(done).map(([what, times]) => `${what} ${times}`);
      const cuts = proxies.flat().reduce((sum, line) => sum + line.cuts, 0);
      report.note(`${counts.join(', ')}; connections cut in a commit ${cuts}`);
      report.note(`${faults.refused} requests refused, unanswered or broken off, and sent again`);
      report.checkNone(faults.unexpected, 'no answer was an internal error');
    },
    stop: async () => {
      for (const { process, client } of slots) {
        client.close();
        await process.kill();
      }
      for (const one of poolers) await one.remove();
      await pair.stop();
    },
  };
}

function shuffled(cards, random) {
  const deck = Object.entries(cards).flatMap(([what, times]) => Array.from({ length: times }, () => what));
  for (let at = deck.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [deck[at], deck[other]] = [deck[other], deck[at]];
  }
  return deck;
}
