import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { binaryOutput } from '../../src/process/binary-output.ts';

test('a write resolves when the stream has taken the bytes, and not before', async () => {
  let take = () => {};
  const output = binaryOutput(
    new Writable({
      write: (_chunk, _encoding, done) => {
        take = done;
      },
    }),
  );
  let isTaken = false;
  const writing = output(Buffer.from('one')).then(() => {
    isTaken = true;
  });
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  take();
  await writing;
  expect(isTaken).toBe(true);
});

test('a reader that has gone fails the write that meets it, the last one too', async () => {
  const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error('write EPIPE')) });
  const output = binaryOutput(gone);
  await expect(output(Buffer.from('one'))).rejects.toThrow('EPIPE');
  await expect(output(Buffer.from('two'))).rejects.toThrow();
});
