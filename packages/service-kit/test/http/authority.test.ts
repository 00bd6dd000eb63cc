import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostName, isLoopback, parseAuthority } from '../../src/http/authority.ts';

describe('parseAuthority', () => {
  test.each([
    ['localhost', 'localhost', ''],
    ['LocalHost.:8080', 'localhost', '8080'],
    ['127.0.0.1:8080', '127.0.0.1', '8080'],
    ['127.0.0.1:', '127.0.0.1', ''],
    ['[::1]:7832', '[::1]', '7832'],
    ['[0:0:0:0:0:0:0:1]', '[::1]', ''],
    ['[FD00::00A]', '[fd00::a]', ''],
    ['memory_service:80', 'memory_service', '80'],
  ])('reads %s as the host %s and the port "%s"', (text, host, port) => {
    expect(parseAuthority(text)).toEqual({ host, port });
  });

  test.each([
    '',
    ':80',
    'a b',
    'a/b',
    'a,b',
    'user@localhost',
    'localhost:80:80',
    'localhost:x',
    '::1',
    '[::1',
    '[::g]',
  ])('finds no host in %j', (text) => {
    expect(parseAuthority(text)).toBeNull();
  });

  test('reads what a URL has between // and the path as the URL standard does', () => {
    fc.assert(
      fc.property(fc.webAuthority({ withPort: true, withIPv4: true, withIPv6: true }), (text) => {
        const { hostname } = new URL(`http://${text}`);
        expect(parseAuthority(text)?.host).toBe(hostname);
      }),
    );
  });
});

describe('hostName', () => {
  test.each([
    ['Box.Local.', 'box.local'],
    ['memory_service', 'memory_service'],
    ['192.168.1.7', '192.168.1.7'],
    ['::1', '[::1]'],
    ['[FD00:0::5]', '[fd00::5]'],
    ['fe80::1%eth0', '[fe80::1]'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('writes %s as %s', (text, name) => {
    expect(hostName(text)).toBe(name);
  });

  test.each(['', '*', '.local', 'a..b', '-a', 'a-', 'a b', 'http://a', 'a:80', 'a/b', 'a.1', '1.2.3.256', '[a]'])(
    'refuses %j',
    (text) => {
      expect(hostName(text)).toBeNull();
    },
  );

  test.each([63, 64])('knows the length of labels: %i', (length) => {
    expect(hostName(`${'a'.repeat(length)}.example`) !== null).toBe(length === 63);
  });
});

// Let 'localhost' be localhost (draft-ietf-dnsop-let-localhost-be-localhost), and RFC 5735: 127.0.0.0/8.
test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['[::1]', true],
  ['localhost.evil.test', false],
  ['notlocalhost', false],
  ['127.0.0.1.evil.test', false],
  ['127.evil.test', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['[::2]', false],
])('%s is loopback: %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
