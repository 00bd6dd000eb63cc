import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook as Verifier } from 'standardwebhooks';
import { signatureHeaders } from '../../src/webhooks/signature.ts';

const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('the headers of a notice', () => {
  test('are those of the example of Standard Webhooks', () => {
    // libraries/javascript of https://github.com/standard-webhooks/standard-webhooks, test "sign function works"
    const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body: '{"test": 2432232314}' };
    expect(signatureHeaders(signed, [Buffer.from(SECRET, 'base64')])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('hold a signature for each key, as the reference implementation makes them', () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(
        fc.array(key, { minLength: 1, maxLength: 2 }),
        fc.string(),
        fc.date({ noInvalidDate: true, min: new Date(0) }),
        (keys, body, at) => {
          const headers = signatureHeaders({ id: '081726354453627', at: at.getTime(), body }, keys);
          const expected = keys.map((one) => new Verifier(one.toString('base64')).sign('081726354453627', at, body));
          expect(headers['webhook-signature']).toBe(expected.join(' '));
        },
      ),
      { numRuns: 100 },
    );
  });
});
