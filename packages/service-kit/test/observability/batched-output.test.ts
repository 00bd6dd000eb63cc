import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { batchedOutput, drained } from '../../src/observability/batched-output.ts';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const KIT = new URL('../../src/index.ts', import.meta.url).href;
const NODE_FLAGS = ['--conditions=@agent-faculties/source', '--import', TSX, '--input-type=module'];

describe('batched output', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'output-'));
    path = join(folder, 'out.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const flushed = (output: ReturnType<typeof batchedOutput>) => new Promise<void>((resolve) => output.flush(resolve));

  test('writes every line once and in order, long ones and many at once too', async () => {
    const fd = openSync(path, 'w');
    const output = batchedOutput({ fd, onLost: () => {} });
    const lines = Array.from({ length: 3_000 }, (_, i) => `${i} ${'é'.repeat(i % 500)}\n`);
    for (const [i, line] of lines.entries()) {
      output.write(line);
      if (i % 700 === 0) await new Promise(setImmediate);
    }
    await flushed(output);
    expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
    closeSync(fd);
  });

  test.each([
    ['by itself', ''],
    ['behind a batch that is still being written', `${'x'.repeat(5_000)}\n`],
  ])('writes a single line after a while, unasked, %s', async (_, before) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const fd = openSync(path, 'w');
    const output = batchedOutput({ fd, onLost: () => {} });
    output.write(before);
    output.write('alone\n');
    jest.advanceTimersByTime(250);
    jest.useRealTimers();
    while (!readFileSync(path, 'utf8').endsWith('alone\n')) await new Promise(setImmediate);
    expect(readFileSync(path, 'utf8')).toBe(`${before}alone\n`);
    closeSync(fd);
  });

  test('goes on when writing fails, and says how many lines were lost once it no longer does', async () => {
    const readOnly = openSync('/dev/null', 'r');
    const lost: number[] = [];
    const output = batchedOutput({ fd: readOnly, onLost: (lines) => lost.push(lines) });
    for (const line of ['1\n', '2\n', '3\n']) output.write(line);
    await flushed(output);
    expect(lost).toEqual([]);
    closeSync(readOnly);
    // The lowest number that is free is given out again.
    expect(openSync(path, 'w')).toBe(readOnly);
    output.write('4\n');
    await flushed(output);
    expect([lost, readFileSync(path, 'utf8')]).toEqual([[3], '4\n']);
    closeSync(readOnly);
  });

  /** Bytes of each write. */
  async function writesOf(output: ReturnType<typeof batchedOutput>): Promise<number[]> {
    const writes: number[] = [];
    let isOver = false;
    output.flush(() => {
      isOver = true;
    });
    for (let before = output.writtenBytes; !isOver; before = output.writtenBytes) {
      await new Promise(setImmediate);
      if (output.writtenBytes > before) writes.push(output.writtenBytes - before);
    }
    return writes;
  }

  test('writes 4 KiB at once, and more where lines came faster than they were written', async () => {
    const fd = openSync(path, 'w');
    const output = batchedOutput({ fd, onLost: () => {} });
    const line = `${'x'.repeat(499)}\n`;
    for (let lines = 0; lines < 30; lines++) output.write(line);
    expect(await writesOf(output)).toEqual([4_000, 4_000, 4_000, 3_000]);
    for (let lines = 0; lines < 10_000; lines++) output.write(line);
    const [first, ...others] = (await writesOf(output)).filter((bytes) => bytes > 4_096);
    expect([first, others.length]).toEqual([64_000, Math.ceil((5_000_000 - 16_000) / 64_000) - 1]);
    expect(readFileSync(path, 'utf8')).toBe(line.repeat(10_030));
    closeSync(fd);
  });

  test('begins anew on a line of its own where an error cut one off, and counts it', async () => {
    execFileSync('mkfifo', [path]);
    const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const lost: number[] = [];
    const output = batchedOutput({ fd, onLost: (lines) => lost.push(lines) });
    const line = `${'x'.repeat(499)}\n`;
    // More than a pipe takes, of which one of Linux has room for a part of the last write.
    for (let lines = 0; lines < 300; lines++) output.write(line);
    while (output.writtenBytes % 500 === 0) await new Promise(setImmediate);
    const written = output.writtenBytes;
    closeSync(first);
    await flushed(output);
    const second = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const read = (): string => {
      const bytes = Buffer.alloc(65_536);
      return bytes.toString('utf8', 0, readSync(second, bytes));
    };
    const whole = Math.floor(written / 500);
    expect(read()).toBe(line.repeat(whole) + line.slice(0, written % 500));
    output.write(line);
    await flushed(output);
    expect(read()).toBe(`\n${line}`);
    expect(lost).toEqual([300 - whole]);
    closeSync(second);
    closeSync(fd);
  });

  test('leaves every line whole where the process ends while it is behind', async () => {
    const lines = 4_000;
    const script = `const { createLog } = await import('${KIT}');
      const log = createLog({ name: 'x', level: 'info' });
      for (let number = 0; number < ${lines}; number++) {
        log.info({ number, text: 'x'.repeat(300) });
        if (number % 100 === 0) await new Promise(setImmediate);
      }
      process.stderr.write('ending');
      process.exit();`;
    execFileSync('mkfifo', [path]);
    // Nobody reads before the end, so that a write of the background stands in the middle of a line then.
    const child = spawn(
      'sh',
      ['-c', `"$0" "$@" | { read -r _ < '${path}'; cat; }`, process.execPath, ...NODE_FLAGS, '-e', script],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let log = '';
    child.stdout.on('data', (bytes) => {
      log += bytes;
    });
    await once(child.stderr, 'data');
    writeFileSync(path, '\n');
    await once(child, 'close');
    const whole = /^\{"level":"info","time":"[^"]+","name":"x","number":(\d+),"text":"x{300}"\}$/;
    const numbers = log.split('\n').flatMap((line) => whole.exec(line)?.[1] ?? []);
    expect(new Set(numbers.map(Number)).size).toBe(lines);
  });

  test('at the end waits as long as its reader takes something, and no longer', async () => {
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const output = batchedOutput({ fd: pipe, onLost: () => {} });
    const line = `${'x'.repeat(999)}\n`;
    for (let lines = 0; lines < 1_000; lines++) output.write(line);
    let pass = () => {};
    const aWhile = () =>
      new Promise<void>((resolve) => {
        pass = resolve;
      });
    let isOver = false;
    void drained(output, aWhile).then(() => {
      isOver = true;
    });
    const room = Buffer.alloc(100_000);
    for (let read = 0, written = 0; read < 300_000; read += readSync(pipe, room)) {
      // What is in the pipe may not have been reported yet.
      while (output.writtenBytes <= Math.max(written, read)) await new Promise(setImmediate);
      written = output.writtenBytes;
      pass();
      await new Promise(setImmediate);
      expect(isOver).toBe(false);
    }
    // From here on nobody reads.
    while (!isOver) {
      pass();
      await new Promise(setImmediate);
    }
    expect(output.writtenBytes).toBeLessThan(1_000_000);
    closeSync(pipe);
  });
});

describe('a service whose log cannot be written', () => {
  const service = (stdout: number | 'pipe'): ChildProcess => {
    const script = `const { createLog, runService } = await import('${KIT}');
      const log = createLog({ name: 'x', level: 'info' });
      const app = (req, res) => {
        log.info({ text: 'x'.repeat(20_000) });
        res.end();
      };
      const { address } = await runService({ name: 'x', app, host: '127.0.0.1', port: 0, log, process });
      process.stderr.write(address.url);`;
    return spawn(process.execPath, [...NODE_FLAGS, '-e', script], { stdio: ['ignore', stdout, 'pipe'] });
  };
  const serves = async (child: ChildProcess): Promise<void> => {
    const [url] = await once(child.stderr as NodeJS.ReadableStream, 'data');
    for (let requests = 0; requests < 20; requests++) expect((await fetch(String(url))).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  };

  test('because the disk is full serves on, and stops', async () => {
    const full = openSync('/dev/full', 'w');
    await serves(service(full));
    closeSync(full);
  });

  test('because nobody reads it any more serves on, and stops', async () => {
    const child = service('pipe');
    child.stdout?.destroy();
    await serves(child);
  });

  test('because its reader has stopped reading serves on, and stops', async () => {
    const child = service('pipe');
    child.stdout?.pause();
    await serves(child);
  });
});
