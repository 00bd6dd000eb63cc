// Makes databases with a long history: writes directly into a file that the service has migrated.
import { rmSync } from 'node:fs';
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';
import { SqliteDatabase, startTiming } from '../../scripts/withstand/timing/lib/timing-service.mjs';

export const TASK_TYPE = 'bench';
const AGENT = 'default';
/** One task in a hundred times out, so that its duration is right-censored. */
const TIMED_OUT_EVERY = 100;
/** Log-normal durations: a median of 60 s, a p95 of 5 min. */
const MEDIAN_SECONDS = 60;
const SIGMA = 1;
const HISTORY_DAYS = 90;

/** Makes a file with `count` ended tasks of one type and their two events each. The same count gives the same tasks. */
export async function writeHistory(path, count) {
  await (await startTiming(path)).stop();
  const db = new SqliteDatabase(path);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  // Building an index once is far cheaper than updating it with three million insertions.
  const indexes = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all();
  const insertTask =
    db.prepare(`INSERT INTO tasks (correlation_id, agent_id, task_type, state, outcome, started_us, ended_us,
    duration_us, end_event_id, end_sequence) VALUES (?, '${AGENT}', '${TASK_TYPE}', 'ended', ?, ?, ?, ?, ?, ?)`);
  const insertEvent = db.prepare(`INSERT INTO events (id, agent_id, event_type, task_type, timestamp_us, correlation_id)
    VALUES (?, '${AGENT}', ?, '${TASK_TYPE}', ?, ?)`);
  const random = seededRandom(count);
  const beganUs = (Date.now() - HISTORY_DAYS * 86_400_000) * 1_000;
  const stepUs = (HISTORY_DAYS * 86_400e6 * 0.99) / count;
  db.transaction(() => {
    for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
    db.prepare('INSERT INTO agents VALUES (?)').run(AGENT);
    db.prepare('INSERT INTO task_types (agent_id, task_type) VALUES (?, ?)').run(AGENT, TASK_TYPE);
    for (let number = 1; number <= count; number++) {
      const startedUs = Math.round(beganUs + number * stepUs);
      const durationUs = Math.round(MEDIAN_SECONDS * Math.exp(SIGMA * normal(random)) * 1e6);
      const endedUs = startedUs + durationUs;
      const correlationId = timeOrderedId(startedUs, random);
      const endEventId = timeOrderedId(endedUs, random);
      const outcome = number % TIMED_OUT_EVERY === 0 ? 'timeout' : 'ok';
      insertTask.run(correlationId, outcome, startedUs, endedUs, durationUs, endEventId, number);
      insertEvent.run(timeOrderedId(startedUs, random), 'task_start', startedUs, correlationId);
      insertEvent.run(endEventId, 'task_end', endedUs, correlationId);
    }
    for (const { sql } of indexes) db.exec(sql);
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  // The page sums are those of the empty file; the next start makes new ones.
  rmSync(`${path}.sums`);
}

function timeOrderedId(microseconds, random) {
  const time = Math.floor(microseconds / 1_000)
    .toString(16)
    .padStart(12, '0');
  const hex = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${time}7${hex().slice(0, 3)}${hex()}${hex()}`;
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
