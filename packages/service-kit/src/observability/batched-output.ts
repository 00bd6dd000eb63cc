import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Lines are written together once they have this many bytes, or after this time. */
const BATCH_BYTES = 16_384;
const BATCH_MS = 250;
/** PIPE_BUF of Linux: two writers of a pipe, here the background and the end of the process, tear no write of so many bytes apart. */
const WHOLE_BYTES = 4096;
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
 * lost; pino's own destination ends the process on a full disk, and on exit retries for ever. The batch that is being written when
 * the process ends may appear twice, each of its lines whole.
 */
export function batchedOutput({ fd, onLost }: BatchedOutputOptions): BatchedOutput {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let writing: Buffer | null = null;
  let timer: NodeJS.Timeout | null = null;
  let writtenBytes = 0;
  let lost = 0;
  let flushes: (() => void)[] = [];

  const take = (): Buffer => {
    const batch = Buffer.from(waiting.join(''));
    waiting = [];
    waitingBytes = 0;
    return batch;
  };
  const start = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (writing) return;
    if (waiting.length === 0) {
      const done = flushes;
      flushes = [];
      for (const each of done) each();
      return;
    }
    writeOut(take());
  };
  const writeOut = (batch: Buffer): void => {
    writing = batch;
    write(fd, wholeLines(batch), (error, bytes) => {
      if (!error) writtenBytes += bytes;
      if (error?.code === 'EAGAIN') return void setTimeout(() => writeOut(batch), RETRY_MS).unref();
      if (!error && bytes < batch.length) return writeOut(batch.subarray(bytes));
      writing = null;
      if (error) lost += linesIn(batch);
      else if (lost > 0) {
        const lines = lost;
        lost = 0;
        onLost(lines);
      }
      // The timer of newer lines may have fired meanwhile.
      const isDue = waiting.length > 0 && timer === null;
      if (isDue || waitingBytes >= BATCH_BYTES || flushes.length > 0) start();
    });
  };
  atExit(() => writeAtEnd(fd, Buffer.concat([writing ?? Buffer.alloc(0), take()])));
  return {
    write(line) {
      if (waitingBytes >= WAITING_BYTES_LIMIT) {
        lost++;
        return;
      }
      waiting.push(line);
      waitingBytes += line.length;
      if (waitingBytes >= BATCH_BYTES) start();
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

function linesIn(batch: Buffer): number {
  let lines = 0;
  for (const byte of batch) if (byte === NEWLINE) lines++;
  return lines;
}
