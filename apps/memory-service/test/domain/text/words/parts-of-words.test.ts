import { expect, test } from '@jest/globals';
import { withParts } from '../../../../src/domain/text/words/parts-of-words.ts';
import { wordsOf } from '../../../../src/domain/text/words/words.ts';

test.each([
  ['POOL_SIZE=20', ['pool', 'size', '20']],
  ['user.u-ana.theme is dark', ['user', 'u', 'ana', 'theme', 'is', 'dark']],
  ['maxRetries in src/login.ts', ['max', 'retries', 'in', 'src', 'login', 'ts']],
  ['SHOP-101 by ann@example.org', ['shop', '101', 'by', 'ann', 'example', 'org']],
  // What has no letter is one number, and no mark joins the end of a sentence.
  ["10.0.3.7 at 9:15. Ann's", ['10.0.3.7', 'at', '9:15', 'ann']],
])('the parts of %j are %j', (text, parts) => {
  expect(withParts(wordsOf(text)).map(({ lower }) => lower)).toEqual(parts);
});
