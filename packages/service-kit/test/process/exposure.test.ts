import type { NetworkInterfaceInfo } from 'node:os';
import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createLog, warnWhereExposed } from '../../src/index.ts';

const address = (text: string, { internal = false, family = 'IPv4' } = {}) =>
  ({ address: text, internal, family }) as NetworkInterfaceInfo;
const MACHINE = {
  hostname: () => 'box',
  networkInterfaces: () => ({
    lo: [address('127.0.0.1', { internal: true })],
    eth0: [address('192.168.1.7'), address('fe80::1', { family: 'IPv6' })],
    eth1: [address('10.0.0.1')],
    eth2: [address('10.0.0.2'), address('10.0.0.3')],
  }),
};

/** Messages of the warnings. */
function warningsFor(host: string, { trustIdentityHeader = false, allowedHosts = null as string[] | null } = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const log = createLog({ name: 'x', level: 'info', destination });
  warnWhereExposed(log, { host, allowedHosts, trustIdentityHeader }, MACHINE);
  expect(lines.filter((line) => line.level !== 'warn' || line.host !== host)).toEqual([]);
  return lines.map(({ msg }) => msg);
}

const OPEN = 'reachable from the network without authentication: put a gateway in front';
const UNNAMED =
  'answers to localhost alone, and 421 to others: name what clients call this machine, such as ' +
  '--allowed-hosts box,192.168.1.7,10.0.0.1,10.0.0.2';

describe('a service that listens on', () => {
  test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('%s warns of nothing', (host) => {
    expect(warningsFor(host)).toEqual([]);
  });

  test.each(['0.0.0.0', '::', '0:0::0'])('%s warns that it is open, and says what to name', (host) => {
    expect(warningsFor(host)).toEqual([OPEN, UNNAMED]);
    expect(warningsFor(host, { allowedHosts: ['box'] })).toEqual([OPEN]);
    expect(warningsFor(host, { trustIdentityHeader: true })).toEqual([]);
  });

  test('an address of its own, by which it is called, warns that it is open', () => {
    expect(warningsFor('192.168.1.7')).toEqual([OPEN]);
  });
});
