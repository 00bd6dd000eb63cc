// A figure of the page: what was measured, what it should be, and the limit that it is held against.
import { ms, whole } from '../lib/markdown.mjs';

const UNITS = {
  'a second': { shown: whole, isMore: true },
  ms: { shown: ms, isMore: false },
  µs: { shown: (value) => `${whole(value)} µs`, isMore: false },
  MiB: { shown: (value) => `${whole(value)} MiB`, isMore: false },
  'of the limit': { shown: (value) => value.toFixed(2), isMore: true },
  times: { shown: (value) => value.toFixed(1), isMore: false },
};

/**
 * `aim` is in the same unit, absent where it is for another size; `limit` is what could be reached at best, measured in the same run.
 *
 * @param {{ name: string, value: number, unit: string, aim?: number, limit?: { name: string, value: number } }} figure
 * @returns cells of the table
 */
export function cellsOf({ name, value, unit, aim, limit }) {
  const { shown, isMore } = UNITS[unit];
  const isMet = isMore ? value >= aim : value <= aim;
  return [
    name,
    isMore && unit === 'a second' ? `${shown(value)} a second` : shown(value),
    aim === undefined ? '' : `${isMore ? 'at least' : 'at most'} ${shown(aim)}: ${isMet ? 'met' : 'missed'}`,
    limit ? `${limit.name}: ${shown(limit.value)}` : '',
    limit ? ratioOf({ value, limit: limit.value, isMore }) : '',
  ];
}

/** How near to the limit: 1 is there. */
function ratioOf({ value, limit, isMore }) {
  return (isMore ? value / limit : limit / value).toFixed(2);
}
