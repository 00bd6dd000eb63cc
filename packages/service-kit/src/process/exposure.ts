import { type NetworkInterfaceInfo, networkInterfaces, hostname as systemHostname } from 'node:os';
import { hostName, isLoopback } from '../http/authority.ts';
import type { ServiceHosts } from '../http/host-and-origin-guard.ts';
import type { Logger } from '../observability/log.ts';

/** Hosts that stand for all addresses of the machine. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);
/** Addresses shown in the example; more would not make it clearer. */
const ADDRESSES_NAMED = 3;

export interface Machine {
  readonly hostname: () => string;
  readonly networkInterfaces: () => NodeJS.Dict<NetworkInterfaceInfo[]>;
}

/**
 * Warns when other machines can reach a service without authentication, and when it listens for them but answers to none of the
 * names that they use.
 */
export function warnWhereExposed(
  log: Logger,
  { host, allowedHosts, trustIdentityHeader }: ServiceHosts & { readonly trustIdentityHeader: boolean },
  machine: Machine = { hostname: systemHostname, networkInterfaces },
): void {
  const name = hostName(host) ?? host;
  if (isLoopback(name) || trustIdentityHeader) return;
  log.warn({ host }, 'reachable from the network without authentication: put a gateway in front');
  if (allowedHosts !== null || !WILDCARDS.has(name)) return;
  const example = namesOf(machine).join(',');
  log.warn(
    { host },
    `answers to localhost alone, and 421 to others: name what clients call this machine, such as --allowed-hosts ${example}`,
  );
}

function namesOf({ hostname, networkInterfaces }: Machine): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
  return [hostname(), ...addresses.slice(0, ADDRESSES_NAMED)];
}
