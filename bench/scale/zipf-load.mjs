// Clients that send requests to replicas, each space to the same replica, and what that costs.
import { createHash } from 'node:crypto';
import { requester } from '../../scripts/withstand/lib/service.mjs';
import { withChildren } from './processor-time.mjs';

/** For one answer, so that a busy machine makes it slow and does not end the run. */
const PATIENCE_MS = 600_000;

/** A source of numbers below `count`: the n-th comes n times as rarely as the first. */
export function zipf(count, random) {
  const sums = [];
  for (let rank = 1; rank <= count; rank++) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  return () => {
    const wanted = random() * sums.at(-1);
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Sends one request to each space, one after the other, so that its replica has loaded it. */
export async function openSpaces({ replicas }, { spaces, send }) {
  const lines = linesTo(replicas, 1);
  for (const space of spaces) {
    const { status, text } = await send(space, lines[placeOf(space, lines.length)]);
    if (status !== 200) throw new Error(text);
  }
  for (const line of lines) line.close();
}

/** @param send resolves to the answer of the last request @returns processor milliseconds of one answer; latencies in ms */
export async function runLoad({ replicas, databasePid, clients, seconds, send, drawSpace }) {
  const lines = linesTo(replicas, clients);
  const pids = replicas.map(({ pid }) => pid);
  const cpuOf = (some) => some.reduce((sum, pid) => sum + withChildren(pid), 0);
  const openedBefore = await openedSpaces(lines);
  const [replicasBefore, databaseBefore] = [cpuOf(pids), withChildren(databasePid)];
  const latencies = [];
  let refused = 0;
  const end = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < end) {
      const space = drawSpace();
      const began = performance.now();
      const { status } = await send(space, lines[placeOf(space, lines.length)]);
      if (status === 200) latencies.push(performance.now() - began);
      else refused++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const answered = latencies.length;
  const costs = { replicas: cpuOf(pids) - replicasBefore, database: withChildren(databasePid) - databaseBefore };
  const opened = (await openedSpaces(lines)) - openedBefore;
  for (const line of lines) line.close();
  latencies.sort((one, other) => one - other);
  const quantile = (share) => latencies[Math.floor(share * answered)] ?? Number.NaN;
  return {
    answered,
    refused,
    p50: quantile(0.5),
    p95: quantile(0.95),
    replicaMs: (costs.replicas * 1_000) / answered,
    databaseMs: (costs.database * 1_000) / answered,
    opened,
  };
}

function linesTo(replicas, connections) {
  return replicas.map(({ url }) => requester(url, { connections, limitMs: PATIENCE_MS }));
}

function placeOf(space, count) {
  return createHash('sha1').update(space).digest().readUInt32BE() % count;
}

async function openedSpaces(lines) {
  let sum = 0;
  for (const line of lines) {
    const { text } = await line.get('/metrics');
    sum += Number(/^(?:memory|timing)_spaces_opened_total (\d+)$/m.exec(text)?.[1] ?? 0);
  }
  return sum;
}
