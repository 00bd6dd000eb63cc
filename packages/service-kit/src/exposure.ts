import type { Logger } from './log.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** Warns where other machines may reach a service that believes whoever asks. */
export function warnWhereExposed(
  log: Logger,
  { host, trustIdentityHeader }: { readonly host: string; readonly trustIdentityHeader: boolean },
): void {
  if (LOOPBACK.has(host) || trustIdentityHeader) return;
  log.warn({ host }, 'reachable from the network without authentication: put a gateway in front');
}
