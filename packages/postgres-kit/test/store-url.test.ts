import { describe, expect, test } from '@jest/globals';
import { isStoreUrl, parseStoreUrl } from '../src/index.ts';

describe('parseStoreUrl', () => {
  test('reads one host, with the port of PostgreSQL where none is named', () => {
    expect(parseStoreUrl('postgres://ana@db/memory')).toEqual({
      addresses: ['postgres://ana@db/memory'],
      name: 'db:5432/memory',
    });
    expect(parseStoreUrl('postgresql://[::1]:6000/memory').name).toBe('[::1]:6000/memory');
  });

  test('makes an address of each of several hosts', () => {
    const { addresses, name } = parseStoreUrl('postgres://ana:p%40ss@db-1:6000,db-2/memory?sslmode=verify-full');
    expect(addresses).toEqual([
      'postgres://ana:p%40ss@db-1:6000/memory?sslmode=verify-full',
      'postgres://ana:p%40ss@db-2/memory?sslmode=verify-full',
    ]);
    expect(name).toBe('db-1:6000,db-2:5432/memory');
  });

  test.each([
    'mysql://db/memory',
    'postgres://db',
    'postgres://db/',
    'postgres:///memory',
    'postgres://a,,b/memory',
    'postgres://ana:pa55word@db:port/memory',
    'postgres://ana:pa55/word@db/memory',
    'postgres://ana:pa55word@db/mem%zzory',
    '',
  ])('refuses %p and does not repeat it', (text) => {
    expect(() => parseStoreUrl(text)).toThrow(RangeError);
    expect(() => parseStoreUrl(text)).not.toThrow(/pa55/);
  });

  test('tells an address from a path', () => {
    expect(['postgres://db/a', 'postgresql://db/a', './postgres', '/data'].map(isStoreUrl)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
