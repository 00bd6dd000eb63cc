// When FAISS, in its own process, has done what a start gives it to do.
import { childrenOf } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds } from '../lib/markdown.mjs';

/** FAISS takes the rows after a start, and an approximate index is built for many: over when it has had nothing to do so long. */
const CALM_MS = 1_500;
const CALM_SHARE = 0.05;
const SETTLE_LIMIT_MS = 180_000;

/** Resolves to the milliseconds until the FAISS of a service had nothing more to do. */
export async function settled(pid) {
  const began = performance.now();
  while (performance.now() - began < SETTLE_LIMIT_MS) {
    const before = faissCpu(pid);
    await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    if (childrenOf(pid).length === 1 && faissCpu(pid) - before < (CALM_SHARE * CALM_MS) / 1_000) break;
  }
  return performance.now() - began;
}

/** Processor time that FAISS has taken so far, in seconds. */
export function faissCpu(pid) {
  return childrenOf(pid).reduce((sum, child) => sum + (cpuSeconds(child) || 0), 0);
}
