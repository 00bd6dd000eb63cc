import { createHmac } from 'node:crypto';

export interface Signed {
  /** The same for each try. */
  readonly id: string;
  /** Epoch milliseconds, of this try. */
  readonly at: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com). A signature is the base64 of HMAC-SHA256 over
 * `id.timestamp.body`, one for each key, so that a receiver may know either while a secret is changed.
 */
export function signatureHeaders({ id, at, body }: Signed, keys: readonly Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
