import { formatDuration } from '../shared/format.js';

/** "≥ 2 min" where so many runs were cut off that it lies beyond everything seen. @param {any} summary */
export function p95Text({ p95_seconds: p95, at_least: atLeast }) {
  return `${atLeast?.includes('p95_seconds') ? '≥ ' : ''}${formatDuration(p95)}`;
}
