import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLog, warnWhereExposed } from '../src/index.ts';

test.each([
  ['127.0.0.1', false, 0],
  ['::1', false, 0],
  ['localhost', false, 0],
  ['0.0.0.0', false, 1],
  ['192.0.2.7', false, 1],
  ['0.0.0.0', true, 0],
])('listening on %s with trust in a gateway %j gives %i warnings', (host, trustIdentityHeader, count) => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  warnWhereExposed(createLog({ name: 'x', level: 'info', destination }), { host, trustIdentityHeader });
  expect(lines.filter((line) => line.includes('"level":"warn"') && line.includes(host))).toHaveLength(count);
});
