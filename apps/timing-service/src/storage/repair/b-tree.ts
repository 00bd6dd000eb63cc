import { recordOf, type Value, varint } from './record.ts';

/** Pages of SQLite's b-trees: https://www.sqlite.org/fileformat2.html#b_tree_pages */

/** The content of a page; null where it is unknown. */
export type PageSource = (page: number) => Buffer | null;

export interface Row {
  readonly rowid: number;
  readonly values: Value[];
}

const INDEX_INTERIOR = 0x02;
const INDEX_LEAF = 0x0a;
const TABLE_LEAF = 0x0d;
/** Page 1 begins with the head of the database. */
const FILE_HEADER_BYTES = 100;

/** The rows on a page, if it is a leaf of a table, and how many of them cannot be read. */
export function rowsOn(pages: PageSource, page: number): { rows: Row[]; unreadable: number } {
  const bytes = pages(page);
  const rows: Row[] = [];
  let unreadable = 0;
  if (bytes === null || kindOf(bytes, page) !== TABLE_LEAF) return { rows, unreadable };
  for (const cell of cellsOf(bytes, page)) {
    try {
      const [size, next] = varint(bytes, cell);
      const [rowid, start] = varint(bytes, next);
      rows.push({ rowid, values: recordOf(payloadOf(pages, bytes, { start, size, isTable: true })) });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      unreadable++;
    }
  }
  return { rows, unreadable };
}

/** The records of an index, as far as its pages are known. */
export function indexEntries(pages: PageSource, root: number): { entries: Value[][]; isWhole: boolean } {
  const entries: Value[][] = [];
  let isWhole = true;
  const seen = new Set<number>();
  const walk = [root];
  for (let page = walk.pop(); page !== undefined; page = walk.pop()) {
    const bytes = seen.has(page) ? null : pages(page);
    seen.add(page);
    const kind = bytes && kindOf(bytes, page);
    if (!bytes || (kind !== INDEX_INTERIOR && kind !== INDEX_LEAF)) {
      isWhole = false;
      continue;
    }
    const isInterior = kind === INDEX_INTERIOR;
    if (isInterior) walk.push(bytes.readUInt32BE(headerAt(page) + 8));
    for (const cell of cellsOf(bytes, page)) {
      try {
        if (isInterior) walk.push(bytes.readUInt32BE(cell));
        const [size, start] = varint(bytes, cell + (isInterior ? 4 : 0));
        entries.push(recordOf(payloadOf(pages, bytes, { start, size, isTable: false })));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        isWhole = false;
      }
    }
  }
  return { entries, isWhole };
}

/** Pages that are free and may still show what was deleted. */
export function freePages(pages: PageSource): { free: Set<number>; isWhole: boolean } {
  const free = new Set<number>();
  const head = pages(1);
  if (!head) return { free, isWhole: false };
  for (let trunk = head.readUInt32BE(32); trunk !== 0; ) {
    const bytes = free.has(trunk) ? null : pages(trunk);
    if (!bytes) return { free, isWhole: false };
    free.add(trunk);
    const count = Math.min(bytes.readUInt32BE(4), bytes.length / 4 - 2);
    for (let index = 0; index < count; index++) free.add(bytes.readUInt32BE(8 + index * 4));
    trunk = bytes.readUInt32BE(0);
  }
  return { free, isWhole: true };
}

const headerAt = (page: number): number => (page === 1 ? FILE_HEADER_BYTES : 0);

function kindOf(bytes: Buffer, page: number): number {
  return bytes.readUInt8(headerAt(page));
}

/** Where the cells of a page begin. */
function cellsOf(bytes: Buffer, page: number): number[] {
  const header = headerAt(page);
  const pointers = header + (kindOf(bytes, page) === INDEX_INTERIOR ? 12 : 8);
  const count = Math.min(bytes.readUInt16BE(header + 3), (bytes.length - pointers) >> 1);
  return Array.from({ length: count }, (_, index) => bytes.readUInt16BE(pointers + index * 2));
}

/** A payload that does not fit into a cell continues in a chain of pages. These databases reserve no bytes at the end of a page. */
function payloadOf(
  pages: PageSource,
  bytes: Buffer,
  { start, size, isTable }: { start: number; size: number; isTable: boolean },
): Buffer {
  const usable = bytes.length;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) {
    if (start + size > usable) throw new RangeError('The cell ends behind its page');
    return bytes.subarray(start, start + size);
  }
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % (usable - 4));
  const local = wanted <= most ? wanted : least;
  const parts = [bytes.subarray(start, start + local)];
  let next = bytes.readUInt32BE(start + local);
  for (let left = size - local; left > 0; ) {
    const page = next === 0 ? null : pages(next);
    if (!page) throw new RangeError('The rest of the cell is not known');
    const part = page.subarray(4, 4 + Math.min(left, usable - 4));
    parts.push(part);
    left -= part.length;
    next = page.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}
