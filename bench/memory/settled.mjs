// Waits until FAISS, which runs in a separate process, has finished its work after a start.
import { childrenOf } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds } from '../lib/markdown.mjs';

/** Milliseconds without work. After a start FAISS loads the rows, and builds an approximate index for many; idle this long, it is done. */
const CALM_MS = 1_500;
const CALM_SHARE = 0.05;
const SETTLE_LIMIT_MS = 180_000;
const LOOK_MS = 100;

/** Resolves to the milliseconds until the FAISS processes of a service were done. */
export async function settled(pid, processes = 1) {
  const began = performance.now();
  while (performance.now() - began < SETTLE_LIMIT_MS) {
    const before = faissCpu(pid);
    await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    if (childrenOf(pid).length === processes && faissCpu(pid) - before < (CALM_SHARE * CALM_MS) / 1_000) break;
  }
  return performance.now() - began;
}

/** Resolves when all memories have their vectors, without which a service answers for a moment after its start. */
export async function hasVectors(url) {
  const began = performance.now();
  while (performance.now() - began < SETTLE_LIMIT_MS) {
    const { embedding } = /** @type {any} */ (await (await fetch(`${url}/health`)).json());
    if (embedding.pending === 0) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Processor time of FAISS so far, in seconds. */
export function faissCpu(pid) {
  return childrenOf(pid).reduce((sum, child) => sum + (cpuSeconds(child) || 0), 0);
}
