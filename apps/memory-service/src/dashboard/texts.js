/** Texts that only this page has. Pure, but for the elements that hold them. */

import { el } from './shared/dom.js';

const dayAndMinute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** In the reader's time zone; UTC on hover. @param {string} iso */
export const instant = (iso) => el('time', { datetime: iso, title: iso }, dayAndMinute.format(new Date(iso)));

/** 512 B, 1.4 MiB @param {number} bytes */
export function formatBytes(bytes) {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${BYTE_UNITS[power]}`;
}

/** Who said it: the name of the speaker, else the role. @param {{ name: string | null, role: string | null }} memory */
export const speakerOf = ({ name, role }) => name ?? role ?? '';
