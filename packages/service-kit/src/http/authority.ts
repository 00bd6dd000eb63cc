import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

/** The host that a request names: lower case, no final dot, IPv6 as browsers write it. The port is '' where none is given. */
export interface Authority {
  readonly host: string;
  readonly port: string;
}

/** RFC 9110, 7.2: uri-host [ ":" port ]. Names of containers have underscores. */
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{0,5}))?$/i;
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
/** domainToASCII stops at some of these characters and drops others. */
const NOT_IN_NAMES = /[\s/\\?#@:%]/;
const DNS_LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const MAX_NAME_CHARACTERS = 253;

/** Null for a text that is not a host with an optional port. */
export function parseAuthority(text: string): Authority | null {
  const [, host, port = ''] = AUTHORITY.exec(text) ?? [];
  const canonical = host === undefined ? null : canonicalHost(host);
  return canonical === null ? null : { host: canonical, port };
}

/**
 * The authority of a request as text: that of an absolute target, else the header Host (RFC 9112, 3.2). Null where HTTP/1.0
 * sends none; undefined where there are several, or where HTTP/1.1 requires one.
 */
export function addressee(req: IncomingMessage): string | null | undefined {
  const { rawHeaders, httpVersion, headers, url = '' } = req;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  if (count > 1 || (count === 0 && httpVersion !== '1.0')) return undefined;
  const absolute = url.startsWith('/') ? null : ABSOLUTE_FORM.exec(url);
  return absolute?.[1] ?? headers.host ?? null;
}

/** The target without scheme and authority. A server must accept them, and no later handler expects them. */
export function originForm(url: string): string {
  const rest = url.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('?') || rest === '' ? `/${rest}` : rest;
}

/** As in Authority, from a name or an address, with or without brackets; null for anything else. */
export function hostName(text: string): string | null {
  // A zone, as in fe80::1%eth0, means something on this machine only.
  const address = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  if (isIPv6(address)) return canonicalHost(`[${address}]`);
  if (NOT_IN_NAMES.test(text)) return null;
  const name = domainToASCII(text.replace(/\.$/, ''));
  if (isIPv4(name)) return name;
  const labels = name.split('.');
  // Browsers treat a host that ends in a number as an address.
  const isName = labels.every((label) => DNS_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return isName && name.length <= MAX_NAME_CHARACTERS ? name : null;
}

function canonicalHost(host: string): string | null {
  if (!host.startsWith('[')) return host.toLowerCase().replace(/\.$/, '');
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null;
}

/** Names that need no name server, and addresses that never leave this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '[::1]' || host.endsWith('.localhost')) return true;
  return host.startsWith('127.') && isIPv4(host);
}
