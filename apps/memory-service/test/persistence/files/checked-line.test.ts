import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkOf, intactCheck, withCheck } from '../../../src/persistence/files/checked-line.ts';

// The checks are those of Python: hashlib.sha256(bytes).hexdigest()[:16].

test('a line begins with the check of the bytes behind it', () => {
  expect(withCheck('{"a":1}')).toEqual({ line: '{"check":"7359ed179b73607a","a":1}', check: '7359ed179b73607a' });
  expect(withCheck('{"naïve":"猫"}').line).toBe('{"check":"30a20ce99f2897d1","naïve":"猫"}');
  expect(intactCheck(Buffer.from('{"check":"7359ed179b73607a","a":1}'))).toBe('7359ed179b73607a');
});

test.each([
  ['another byte', '{"check":"7359ed179b73607a","a":2}'],
  ['another check', '{"check":"7359ed179b73607b","a":1}'],
  ['a cut end', '{"check":"7359ed179b73607a","a":1'],
  ['a longer end', '{"check":"7359ed179b73607a","a":1}}'],
  ['a check in capitals', '{"check":"7359ED179B73607A","a":1}'],
  ['no check', '{"a":1}'],
  ['nothing', ''],
])('%s is told', (_what, line) => {
  expect(intactCheck(Buffer.from(line))).toBeNull();
});

test('any one byte that changes is told', () => {
  const line = Buffer.from(withCheck('{"id":"a","gist":"We ship on Friday."}').line);
  fc.assert(
    fc.property(fc.nat({ max: line.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(line);
      damaged[at] = (damaged[at] as number) ^ change;
      expect(intactCheck(damaged)).toBeNull();
    }),
  );
  expect(checkOf(line.subarray('{"check":"0123456789abcdef",'.length))).toBe(line.toString().slice(10, 26));
});
