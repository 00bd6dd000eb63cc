import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The addresses of IPv4 that are not for everybody: the IANA special-purpose registry (RFC 6890), multicast and the rest above it. */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** Of IPv6 what is assigned to everybody (RFC 4291). Loopback, ULA, link-local, IPv4-mapped, NAT64 and multicast are outside of it. */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/** Within that: protocols (Teredo among them), documentation, 6to4, which leads to an address of IPv4. */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** Whether an address of IPv4 or IPv6 is one of the public internet; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // An address with a zone holds on one link alone.
  if (version === 0 || address.includes('%')) return false;
  if (version === 4) return !special.check(address, 'ipv4');
  return globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/**
 * Whether the host of a URL says by itself that it is not public: an address, or a name of this machine. Other names are looked up
 * when they are connected to.
 */
export function isPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}

/** A look-up that gives public addresses alone. The connection goes to one of these, so that a second answer of DNS decides nothing. */
export function publicLookup(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = (found as { address: string; family: number }[]).filter(({ address }) =>
        isPublicAddress(address),
      );
      const [first] = addresses;
      if (!first) return callback(new PrivateAddressError(), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
}

class PrivateAddressError extends Error {
  constructor() {
    super('the name leads to a private address: start with --webhooks-allow-private if it may');
  }
}
