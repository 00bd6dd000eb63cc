import type { LookupFunction } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { isPrivateHost, isPublicAddress, publicLookup } from '../../src/webhooks/public-address.ts';

// First and last of each block of the IANA IPv4 and IPv6 Special-Purpose Address Registries, and of multicast.
const SPECIAL = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private use (RFC 1918)', '10.0.0.0', '10.255.255.255'],
  ['private use (RFC 1918)', '172.16.0.0', '172.31.255.255'],
  ['private use (RFC 1918)', '192.168.0.0', '192.168.255.255'],
  ['shared address space, CGNAT (RFC 6598)', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['link-local, with the metadata of clouds', '169.254.0.0', '169.254.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['benchmarking', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
  ['unspecified and loopback', '::', '::1'],
  ['IPv4-mapped', '::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['IPv4-mapped, of a public address', '::ffff:8.8.8.8', '::ffff:808:808'],
  ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard only', '100::', '100::ffff:ffff:ffff:ffff'],
  ['protocol assignments, with Teredo', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

// The neighbours of those blocks, where they are public.
const PUBLIC = [
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ...[
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
  ],
  ...[
    '2000::',
    '2001:200::',
    '2001:db7:ffff::',
    '2001:db9::',
    '2003::',
    '2606:4700::1111',
    '3ffe:ffff::',
    '3fff:1000::',
  ],
];

describe('a public address', () => {
  test.each(SPECIAL)('is none of %s: %s to %s', (_name, first, last) => {
    expect([first, last].map((address) => isPublicAddress(address as string))).toEqual([false, false]);
  });

  test.each(PUBLIC)('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each(['', 'example.com', '2606:4700::1111%eth0', '08.8.8.8', '8.8.8'])('is not %j', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});

describe('the host of a URL', () => {
  test.each([
    ['127.0.0.1', true],
    // Other ways to write 127.0.0.1, which the URL standard makes one of.
    ['0x7f.1', true],
    ['2130706433', true],
    ['017700000001', true],
    ['127.1', true],
    ['[::1]', true],
    ['[::ffff:169.254.169.254]', true],
    ['[fd00::7]', true],
    ['localhost', true],
    ['LOCALHOST.', true],
    ['hooks.localhost', true],
    ['8.8.8.8', false],
    ['[2606:4700::1111]', false],
    ['example.com', false],
  ])('%s is private: %s', (host, isPrivate) => {
    expect(isPrivateHost(new URL(`https://${host}/hooks`))).toBe(isPrivate);
  });
});

describe('the look-up', () => {
  const resolving = (...addresses: string[]): LookupFunction =>
    ((_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as LookupFunction;
  const found = (lookup: LookupFunction, all: boolean) =>
    new Promise((resolve) => {
      publicLookup(lookup)('example.com', { all }, (error, ...result) => resolve(error ? error.message : result));
    });

  test('gives the public addresses of a name, and leaves out the others', async () => {
    const lookup = resolving('10.0.0.7', '93.184.216.34', '::1', '2606:4700::1111');
    expect(await found(lookup, true)).toEqual([
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
    ]);
    expect(await found(lookup, false)).toEqual(['93.184.216.34', 4]);
  });

  test('looks at every answer anew: a name that was public a moment before is refused once it is not', async () => {
    const answers = ['93.184.216.34', '127.0.0.1'];
    const rebinding = ((...about: Parameters<LookupFunction>) =>
      resolving(answers.shift() as string)(...about)) as LookupFunction;
    expect(await found(rebinding, false)).toEqual(['93.184.216.34', 4]);
    expect(await found(rebinding, false)).toMatch(/private address/);
  });

  test('fails for a name that has none', async () => {
    expect(await found(resolving('10.0.0.7', 'fe80::1%eth0'), true)).toMatch(
      /private address.*--webhooks-allow-private/,
    );
    expect(await found(resolving(), true)).toMatch(/private address/);
  });

  test('passes on that a name is not known', async () => {
    const failing = ((_host: string, _options: object, callback: (error: Error) => void) =>
      callback(new Error('getaddrinfo ENOTFOUND example.com'))) as unknown as LookupFunction;
    expect(await found(failing, true)).toBe('getaddrinfo ENOTFOUND example.com');
  });
});
