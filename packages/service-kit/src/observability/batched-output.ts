import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Lines are written together once they have this many bytes, or after this time. */
const BATCH_BYTES = 16_384;
const BATCH_MS = 250;
/** PIPE_BUF of Linux: two writers of a pipe, here the background and the end of the process, tear no write of so many bytes apart. */
const WHOLE_BYTES = 4096;
/** Batches written in one piece where lines come faster than they are written: 64 KiB, which an empty pipe of Linux takes at once. */
const BATCHES_AT_ONCE = 4;
/** Bytes kept while the reader takes nothing; further lines are lost. */
const WAITING_BYTES_LIMIT = 16 * 1024 ** 2;
/** Delay before a full pipe is tried again, and how many times in a row at the end of the process. */
const RETRY_MS = 50;
const RETRIES_AT_END = 20;
const NEWLINE = 0x0a;

export interface BatchedOutput extends DestinationStream {
  /** Calls back once everything so far is written or lost. */
  flush(done: () => void): void;
  /** So many bytes were written so far. */
  readonly writtenBytes: number;
}

export interface BatchedOutputOptions {
  readonly fd: number;
  /** Told how many lines were lost, once lines are taken again. */
  readonly onLost: (lines: number) => void;
}

/**
 * Writes lines in batches in the background, and the rest when the process ends. On a full disk or a closed pipe, only lines are
 * lost; pino's own destination ends the process on a full disk, and on exit retries for ever. What is being written when the
 * process ends may appear twice, and is whole at least once.
 */
export function batchedOutput({ fd, onLost }: BatchedOutputOptions): BatchedOutput {
  const waiting = new WaitingLines();
  let writing: Writing | null = null;
  let timer: NodeJS.Timeout | null = null;
  let writtenBytes = 0;
  /** Whether what was written last is the beginning of a line: between two batches, of one that an error cut off. */
  let isWithinLine = false;
  let lost = 0;
  let flushes: (() => void)[] = [];

  const start = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (writing) return;
    if (waiting.bytes === 0) {
      const done = flushes;
      flushes = [];
      for (const each of done) each();
      return;
    }
    writeOut(onOwnLine(waiting.take()), 0);
  };
  const onOwnLine = (batch: Buffer): Buffer => (isWithinLine ? Buffer.concat([Buffer.from('\n'), batch]) : batch);
  const writeOut = (batch: Buffer, from: number): void => {
    writing = { batch, from };
    const rest = batch.subarray(from);
    write(fd, isBehind(rest) ? rest : wholeLines(rest), (error, bytes) => {
      if (!error) {
        writtenBytes += bytes;
        isWithinLine = rest[bytes - 1] !== NEWLINE;
      }
      if (error?.code === 'EAGAIN') return void setTimeout(() => writeOut(batch, from), RETRY_MS).unref();
      if (!error && bytes < rest.length) return writeOut(batch, from + bytes);
      writing = null;
      if (error) lost += linesIn(batch, from);
      else if (lost > 0 && waiting.bytes < WAITING_BYTES_LIMIT) {
        const lines = lost;
        lost = 0;
        onLost(lines);
      }
      // The timer of newer lines may have fired meanwhile.
      const isDue = waiting.bytes > 0 && timer === null;
      if (isDue || waiting.hasWholeBatch || flushes.length > 0) start();
    });
  };
  atExit(() => {
    const rest = waiting.takeAll();
    writeAtEnd(fd, writing ? Buffer.concat([...begunAnew(writing), rest]) : onOwnLine(rest));
  });
  return {
    write(line) {
      if (waiting.bytes >= WAITING_BYTES_LIMIT) {
        lost++;
        return;
      }
      waiting.add(line);
      if (waiting.hasWholeBatch) start();
      else timer ??= setTimeout(start, BATCH_MS).unref();
    },
    flush(done) {
      flushes.push(done);
      start();
    },
    get writtenBytes() {
      return writtenBytes;
    },
  };
}

/** What the background writes now. */
interface Writing {
  readonly batch: Buffer;
  /** The bytes before it are written. */
  readonly from: number;
}

/** From the beginning of the line in which the background stands, on a line of its own. */
function begunAnew({ batch, from }: Writing): Buffer[] {
  const start = from === 0 ? 0 : batch.lastIndexOf(NEWLINE, from - 1) + 1;
  const mayBeTorn = start < from || isBehind(batch.subarray(from));
  return [Buffer.from(mayBeTorn ? '\n' : ''), batch.subarray(start)];
}

/**
 * Lines as bytes, oldest first. A line of pino is a tree of some sixty small strings: kept as such until they are written, they were
 * most of what the collector had to move.
 */
class WaitingLines {
  #whole: Buffer[] = [];
  #last = Buffer.alloc(0);
  #used = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get hasWholeBatch(): boolean {
    return this.#whole.length > 0;
  }

  add(line: string): void {
    const length = Buffer.byteLength(line);
    if (this.#used + length > this.#last.length) {
      this.#closeBatch();
      this.#last = Buffer.allocUnsafeSlow(Math.max(BATCH_BYTES, length));
    }
    this.#used += this.#last.write(line, this.#used);
    this.#bytes += length;
  }

  /** Several batches where more than one is whole. */
  take(): Buffer {
    if (!this.hasWholeBatch) this.#closeBatch();
    return this.#taken(this.#whole.splice(0, BATCHES_AT_ONCE));
  }

  takeAll(): Buffer {
    this.#closeBatch();
    return this.#taken(this.#whole.splice(0));
  }

  #closeBatch(): void {
    if (this.#used > 0) this.#whole.push(this.#last.subarray(0, this.#used));
    this.#last = Buffer.alloc(0);
    this.#used = 0;
  }

  #taken(batches: readonly Buffer[]): Buffer {
    const [only = Buffer.alloc(0)] = batches;
    const taken = batches.length > 1 ? Buffer.concat(batches) : only;
    this.#bytes -= taken.length;
    return taken;
  }
}

/** Whether it is more than one batch. */
const isBehind = (batch: Buffer): boolean => batch.length > BATCH_BYTES;

/**
 * Resolves once everything so far is written or lost, or when nothing was written during a pause.
 * @param pause how long a reader may take nothing
 */
export async function drained(output: BatchedOutput, pause: () => Promise<void>): Promise<void> {
  let isDone = false;
  const done = new Promise<void>((resolve) => output.flush(resolve)).then(() => {
    isDone = true;
  });
  for (let before = -1; !isDone && output.writtenBytes > before; ) {
    before = output.writtenBytes;
    await Promise.race([done, pause()]);
  }
}

const endings: (() => void)[] = [];

/** One listener for all outputs of the process: Node takes many for a leak and warns. */
function atExit(ending: () => void): void {
  if (endings.push(ending) > 1) return;
  process.on('exit', () => {
    for (const each of endings) each();
  });
}

function writeAtEnd(fd: number, rest: Buffer): void {
  for (let left = rest, tries = 0; left.length > 0; ) {
    try {
      left = left.subarray(writeSync(fd, wholeLines(left)));
      tries = 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || ++tries > RETRIES_AT_END) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** The first lines of a batch that can be written in one piece, or its first line. */
function wholeLines(batch: Buffer): Buffer {
  if (batch.length <= WHOLE_BYTES) return batch;
  const lastEnd = batch.lastIndexOf(NEWLINE, WHOLE_BYTES - 1);
  return batch.subarray(0, (lastEnd === -1 ? batch.indexOf(NEWLINE) : lastEnd) + 1);
}

/** Lines that end behind `from`. An empty one only ends another, which an error cut off. */
function linesIn(batch: Buffer, from: number): number {
  let lines = 0;
  for (let end = batch.indexOf(NEWLINE, Math.max(from, 1)); end !== -1; end = batch.indexOf(NEWLINE, end + 1)) lines++;
  return lines;
}
