#!/usr/bin/env node
// Damages of every kind to the files of a timing database, each on a fresh copy. The service must serve exactly what was there,
// say what it could not, or refuse the start, say what to do and touch nothing; then `repair` brings back what is sound and
// lists the rest. It must never serve other values as if nothing were wrong.
//   node scripts/withstand/timing/damage.mjs [--damages 200] [--seed 1] [--tasks 300]
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runRepairCommand } from '../../../apps/timing-service/dist/commands/repair-command.js';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { createReport } from '../lib/report.mjs';
import { DATABASE_DAMAGES, fingerprint, LOG_DAMAGES, STRAY_LOG_DAMAGES } from './lib/damages.mjs';
import { copyDatabase, exportOf, rowsOf, TABLES, writeKnownHistory } from './lib/timing-history.mjs';
import { requester, SqliteDatabase, scratchFolder, startTiming } from './lib/timing-service.mjs';

/** After this many repairs a service is started on a repaired database. */
const START_EVERY = 10;
const WHAT_TO_DO = /restore a backup|choose another file|remove that name/i;

const { values } = commandLine(import.meta.url, {
  options: {
    damages: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '300' },
  },
});
const damages = Number(values.damages);

await runMain(async () => {
  const report = createReport(`${damages} damages to the timing database, seed ${values.seed}`);
  const scratch = scratchFolder();
  const known = await writeKnownHistory(scratch, Number(values.tasks));
  const kinds = [
    ...Object.entries({ ...DATABASE_DAMAGES, ...LOG_DAMAGES }).map(([kind, apply]) => ({ kind, apply, on: 'killed' })),
    ...Object.entries({ ...DATABASE_DAMAGES, ...STRAY_LOG_DAMAGES }).map(([kind, apply]) => ({
      kind,
      apply,
      on: 'stopped',
    })),
  ];
  const seen = { exact: 0, refused: 0, said: 0 };
  const faults = [];
  const repairs = { done: 0, whole: 0, rows: 0, rowsLost: 0, writesLost: 0 };
  for (let number = 0; number < damages; number++) {
    const { kind, apply, on } = kinds[number % kinds.length];
    const folder = join(scratch, `damage-${number}`);
    mkdirSync(folder);
    copyDatabase(known.folders[on], folder);
    const detail = apply(folder, seededRandom(Number(values.seed) * 10_000 + number), known.folders.old);
    const name = `damage ${number} (${on}: ${kind}${detail ? `, ${detail}` : ''})`;
    const fault = (text) => faults.push(`${name}: ${text}`);
    const outcome = await start(folder, known, fault);
    seen[outcome]++;
    if (outcome === 'refused') await repair(folder, known, { fault, repairs });
    rmSync(folder, { recursive: true });
  }
  report.note(`${kinds.length} kinds on ${known.history.writes} writes: ${JSON.stringify(seen)}`);
  report.note(
    `${repairs.done} repairs: ${repairs.whole} lost nothing; of ${repairs.rows} rows ${repairs.rowsLost} were lost and listed; ` +
      `${repairs.writesLost} writes at the end of a log were lost and counted`,
  );
  report.check(seen.refused > 0 && repairs.whole > 0, 'some are refused, and some repairs bring everything back');
  report.checkNone(
    faults,
    'exact, refused with what to do, or said; never silently other; and repaired or listed as lost',
  );
  report.finish();
});

/** Starts the service on a damaged database. @returns what became of it */
async function start(folder, { exported }, fault) {
  const dbPath = join(folder, 'timing.db');
  const before = fingerprint(folder);
  const service = await startTiming(dbPath).catch((error) => error);
  if (service instanceof Error) {
    if (!service.message.includes(dbPath) || !WHAT_TO_DO.test(service.message))
      fault(`refused with ${service.message}`);
    if (fingerprint(folder).join() !== before.join()) fault('it was refused, and its files were written to');
    return 'refused';
  }
  const found = await exportOf(service.url);
  const client = requester(service.url);
  const { status } = await client.post('/events', { event_type: 'note' });
  client.close();
  if (status !== 200) fault(`it starts, and a write answers ${status}`);
  const code = await service.stop();
  if (code !== 0) fault(`it stops with ${code}`);
  if (found === exported) return 'exact';
  const isSaid = service.words.some((line) => line.includes('power cut'));
  if (!isSaid)
    fault(`served as if nothing were wrong, with other values (${found.length} of ${exported.length} characters)`);
  return 'said';
}

async function repair(folder, { history }, { fault, repairs }) {
  const dbPath = join(folder, 'timing.db');
  let [stdout, stderr] = ['', ''];
  const status = runRepairCommand({
    version: '0.0.0',
    argv: ['--db-path', dbPath],
    env: {},
    exit: process.exit,
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    nowMs: Date.now(),
  });
  if (status !== 0) return fault(`repair ends with ${status}: ${stderr}`);
  if (!existsSync(dbPath)) return fault(`repair leaves nothing: ${stdout}`);
  repairs.done++;
  const lostWrites = Number(/the last ([\d,]+) write/.exec(stdout)?.[1]?.replaceAll(',', '') ?? 0);
  const list = /what (\S+) lists/.exec(stdout)?.[1];
  const lost = list
    ? readFileSync(list, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  repairs.writesLost += lostWrites;
  const db = new SqliteDatabase(dbPath, { readonly: true });
  const verdict = db.pragma('integrity_check', { simple: true });
  if (verdict !== 'ok') fault(`repaired, and integrity_check says ${verdict}`);
  const found = new Map(TABLES.map((table) => [table, rowsOf(db, table)]));
  const last = history.writes - lostWrites;
  // The start itself writes once, and that write may be lost too. Where the log was left out, nobody knows how many were lost.
  const states = stdout.includes('left out') ? upTo(history.writes) : [last, last + 1, last + 2];
  let best = null;
  for (const writes of states.toReversed()) {
    const wrong = differences(found, history, { writes, lost });
    if (!best || wrong.length < best.length) best = wrong;
    if (best.length === 0) break;
  }
  for (const text of best.slice(0, 3)) fault(`after the repair (${stdout.trim()}): ${text}`);
  const rows = TABLES.reduce((sum, table) => sum + found.get(table).size, 0);
  const all = TABLES.reduce((sum, table) => sum + history.after(history.writes, table).size, 0);
  db.close();
  repairs.rows += all;
  repairs.rowsLost += all - rows;
  if (lost.length === 0 && lostWrites === 0) repairs.whole++;
  if (repairs.done % START_EVERY !== 0) return;
  const service = await startTiming(dbPath).catch((error) => error);
  if (service instanceof Error) return fault(`repaired, and refused: ${service.message}`);
  await service.stop();
}

function upTo(last) {
  return Array.from({ length: last + 1 }, (_, number) => number);
}

/** Rows that are not as they were after this many writes, and not listed as lost. */
function differences(rows, history, { writes, lost }) {
  const faults = [];
  for (const table of TABLES) {
    const found = rows.get(table);
    const wanted = history.after(writes, table);
    const isLost = (sequence) =>
      lost.some(
        (entry) =>
          entry.table === table &&
          (entry.sequence === sequence || (entry.from <= sequence && (entry.to === null || sequence <= entry.to))),
      );
    for (const [sequence, row] of wanted) {
      const has = found.get(sequence);
      if (has === undefined && !isLost(sequence)) faults.push(`${table} ${sequence} is gone and not listed`);
      if (has !== undefined && has !== row) faults.push(`${table} ${sequence} is ${has}, was ${row}`);
    }
    for (const sequence of found.keys()) if (!wanted.has(sequence)) faults.push(`${table} ${sequence} was never there`);
  }
  return faults;
}
