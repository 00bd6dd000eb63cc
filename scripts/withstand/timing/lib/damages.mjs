// Ways in which the files of a timing database can be damaged. Each takes the folder of a fresh copy, the file names in it and
// random numbers, and says what it did.
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = 4_096;
const LOG_HEADER = 32;
const FRAME = PAGE + 24;

const DB = 'timing.db';
const LOG = 'timing.db-wal';
const SUMS = 'timing.db.sums';

const below = (random, limit) => Math.floor(random() * limit);

function edit(folder, name, change) {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const said = change(bytes);
  writeFileSync(path, bytes);
  return said;
}

/** Other bytes than before, one after the other. */
function flip(bytes, at, count, random) {
  for (let index = at; index < Math.min(at + count, bytes.length); index++) bytes[index] ^= 1 + below(random, 255);
  return `${count} bytes at ${at}`;
}

const pagesOf = (bytes) => Math.floor(bytes.length / PAGE);
const framesOf = (bytes) => Math.floor((bytes.length - LOG_HEADER) / FRAME);
const frameAt = (frame) => LOG_HEADER + frame * FRAME;

function swap(bytes, first, second, length) {
  const kept = Buffer.from(bytes.subarray(first, first + length));
  bytes.copy(bytes, first, second, second + length);
  kept.copy(bytes, second);
}

function truncated(folder, name, to) {
  truncateSync(join(folder, name), to);
  return `to ${to} bytes`;
}

function replaced(folder, name, from) {
  copyFileSync(join(from, name), join(folder, name));
  return `by that of an hour ago`;
}

const sizeOf = (folder, name) => readFileSync(join(folder, name)).length;

/** Of the database, for one that was killed and one that was stopped. */
export const DATABASE_DAMAGES = {
  'database cut to a share': (folder, random) =>
    truncated(folder, DB, Math.floor(sizeOf(folder, DB) * (0.05 + 0.9 * random()))),
  'database cut by a page': (folder) => truncated(folder, DB, sizeOf(folder, DB) - PAGE),
  'database cut by a byte': (folder) => truncated(folder, DB, sizeOf(folder, DB) - 1),
  'database emptied': (folder) => truncated(folder, DB, 0),
  'database deleted': (folder) => rmSync(join(folder, DB)),
  'a byte of the database flipped': (folder, random) =>
    edit(folder, DB, (bytes) => flip(bytes, below(random, bytes.length), 1, random)),
  'bytes of the database flipped': (folder, random) =>
    edit(folder, DB, (bytes) => flip(bytes, below(random, bytes.length), 2 + below(random, 60), random)),
  'head of the database flipped': (folder, random) =>
    edit(folder, DB, (bytes) => flip(bytes, below(random, 100), 1 + below(random, 4), random)),
  'page of the database zeroed': (folder, random) =>
    edit(folder, DB, (bytes) => {
      const page = below(random, pagesOf(bytes));
      bytes.fill(0, page * PAGE, (page + 1) * PAGE);
      return `page ${page + 1}`;
    }),
  'pages of the database exchanged': (folder, random) =>
    edit(folder, DB, (bytes) => {
      const [first, second] = [below(random, pagesOf(bytes)), below(random, pagesOf(bytes))];
      swap(bytes, first * PAGE, second * PAGE, PAGE);
      return `pages ${first + 1} and ${second + 1}`;
    }),
  'page of the database from an hour ago': (folder, random, old) =>
    edit(folder, DB, (bytes) => {
      const before = readFileSync(join(old, DB));
      const page = below(random, pagesOf(before));
      before.copy(bytes, page * PAGE, page * PAGE, (page + 1) * PAGE);
      return `page ${page + 1}`;
    }),
  'old database': (folder, _random, old) => replaced(folder, DB, old),
  'old database with its page sums': (folder, _random, old) => {
    replaced(folder, SUMS, old);
    return replaced(folder, DB, old);
  },
  'byte of the page sums flipped': (folder, random) =>
    edit(folder, SUMS, (bytes) => flip(bytes, below(random, bytes.length), 1, random)),
  'page sums cut': (folder, random) => truncated(folder, SUMS, below(random, sizeOf(folder, SUMS))),
  'page sums deleted': (folder) => rmSync(join(folder, SUMS)),
  'old page sums': (folder, _random, old) => replaced(folder, SUMS, old),
};

/** Of its log, for one that was killed. */
export const LOG_DAMAGES = {
  'log deleted': (folder) => rmSync(join(folder, LOG)),
  'log emptied': (folder) => truncated(folder, LOG, 0),
  'log cut': (folder, random) => truncated(folder, LOG, below(random, sizeOf(folder, LOG))),
  'log cut between frames': (folder, random) =>
    truncated(folder, LOG, frameAt(below(random, Math.floor((sizeOf(folder, LOG) - LOG_HEADER) / FRAME)))),
  'head of the log flipped': (folder, random) =>
    edit(folder, LOG, (bytes) => flip(bytes, below(random, LOG_HEADER), 1, random)),
  'page in the log flipped': (folder, random) =>
    edit(folder, LOG, (bytes) => {
      const frame = below(random, framesOf(bytes));
      return `frame ${frame + 1}, ${flip(bytes, frameAt(frame) + 24 + below(random, PAGE), 1, random)}`;
    }),
  'head of a frame flipped': (folder, random) =>
    edit(folder, LOG, (bytes) => {
      const frame = below(random, framesOf(bytes));
      return `frame ${frame + 1}, ${flip(bytes, frameAt(frame) + below(random, 24), 1, random)}`;
    }),
  'frames exchanged': (folder, random) =>
    edit(folder, LOG, (bytes) => {
      const [first, second] = [below(random, framesOf(bytes)), below(random, framesOf(bytes))];
      swap(bytes, frameAt(first), frameAt(second), FRAME);
      return `frames ${first + 1} and ${second + 1}`;
    }),
  'frame zeroed': (folder, random) =>
    edit(folder, LOG, (bytes) => {
      const frame = below(random, framesOf(bytes));
      bytes.fill(0, frameAt(frame), frameAt(frame + 1));
      return `frame ${frame + 1}`;
    }),
  'end of the log zeroed': (folder, random) =>
    edit(folder, LOG, (bytes) => {
      const frame = below(random, framesOf(bytes));
      bytes.fill(0, frameAt(frame));
      return `from frame ${frame + 1}`;
    }),
  'old log': (folder, _random, old) => replaced(folder, LOG, old),
  'database emptied and log cut': (folder, random) => {
    truncated(folder, DB, 0);
    return truncated(folder, LOG, below(random, sizeOf(folder, LOG)));
  },
  'database and log flipped': (folder, random) => {
    DATABASE_DAMAGES['a byte of the database flipped'](folder, random);
    return LOG_DAMAGES['page in the log flipped'](folder, random);
  },
};

/** For one that was stopped: its log is empty. */
export const STRAY_LOG_DAMAGES = {
  'log of an hour ago beside it': (folder, _random, old) => replaced(folder, LOG, old),
};

/** The bytes of the files, to show that a refusal touches none. */
export function fingerprint(folder) {
  return [DB, LOG, SUMS].map((name) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path).toString('base64') : null;
  });
}
