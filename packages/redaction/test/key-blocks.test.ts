import { describe, expect, test } from '@jest/globals';
import { maskSecrets } from '../src/index.ts';

const masked = (text: string) => maskSecrets(text, new Map());
const LINE = 'aB3d'.repeat(16);
const begin = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----`;
const end = (kind: string) => `-----END ${kind}PRIVATE KEY-----`;
const MASK = '[REDACTED:private-key]';

describe('private keys', () => {
  test.each(['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED '])('of the kind "%s" are masked whole', (kind) => {
    const key = `${begin(kind)}\n${LINE}\n${LINE}\naB3d==\n${end(kind)}`;
    expect(masked(`before\n${key}\nafter`)).toBe(`before\n${MASK}\nafter`);
  });

  test('of PGP are masked with their checksum', () => {
    const key = `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${LINE}\n${LINE}\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----`;
    expect(masked(`a ${key} b`)).toBe(`a ${MASK} b`);
  });

  test('with the fields of an encrypted one', () => {
    const key = `${begin('RSA ')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${LINE}\n${end('RSA ')}`;
    expect(masked(key)).toBe(MASK);
  });

  test('in JSON, with escaped line breaks, once and twice', () => {
    const key = `${begin('')}\n${LINE}\n${LINE}\n${end('')}\n`;
    const once = JSON.stringify({ private_key: key, client_id: 'x' });
    expect(masked(once)).toBe(`{"private_key":"${MASK}\\n","client_id":"x"}`);
    expect(masked(JSON.stringify(once))).not.toContain(LINE);
  });

  test('without an end are masked as far as they go, and what follows stays', () => {
    expect(masked(`${begin('')}\n${LINE}\n${LINE}\n\nThat was it.`)).toBe(`${MASK}\n\nThat was it.`);
    expect(masked(`${begin('')}\n${LINE}\n${LINE.slice(0, 30)}`)).toBe(MASK);
  });

  test('on one line, with blanks in place of breaks', () => {
    expect(masked(`${begin('')} ${LINE} ${LINE} ${end('')}`)).toBe(MASK);
  });

  test('that are none stay: a heading, an example, a public key', () => {
    for (const text of [
      `The file begins with ${begin('RSA ')} and then come lines.`,
      `${begin('')}\n...\n${end('')}`,
      `-----BEGIN PUBLIC KEY-----\n${LINE}\n-----END PUBLIC KEY-----`,
      `-----BEGIN CERTIFICATE-----\n${LINE}\n-----END CERTIFICATE-----`,
    ]) {
      expect(masked(text)).toBe(text);
    }
  });
});
