import type { RequestHandler } from 'express';
import { ForbiddenError, MisdirectedRequestError } from '../problems/errors.ts';
import { type Authority, addressee, hostName, isLoopback, originForm, parseAuthority } from './authority.ts';
import type {} from './request-fields.ts';

/** The hosts that a service answers to, besides localhost and the loopback addresses. */
export interface ServiceHosts {
  /** The address that it listens on. */
  readonly host: string;
  /** In the form that hostName returns; null for none. */
  readonly allowedHosts: readonly string[] | null;
}

export interface HostAndOriginGuardOptions extends Partial<ServiceHosts> {
  /** True behind a gateway, which may call the service by any name: every host is accepted unless allowedHosts is given. */
  readonly behindGateway: boolean;
}

/** How much of a client's text is shown in a detail or a line of the log, in characters. */
const SHOWN_CHARACTERS = 253;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Refuses requests of pages of other sites, which can reach loopback through the user's browser:
 * - a page whose name points to this machine (DNS rebinding) gets 421, because the browser sends that name;
 * - any other page gets 403, unless the request is GET or HEAD. Those change nothing, and a page of another origin cannot read
 *   their answers.
 * @throws MisdirectedRequestError, ForbiddenError
 */
export function hostAndOriginGuard({
  host,
  allowedHosts = null,
  behindGateway,
}: HostAndOriginGuardOptions): RequestHandler {
  const own = new Set([...(host === undefined ? [] : [hostName(host)]), ...(allowedHosts ?? [])]);
  const acceptsAll = behindGateway && allowedHosts === null;

  return (req, _res, next) => {
    const named = addressee(req);
    if (named === undefined) throw new MisdirectedRequestError('Send the header Host, once: HTTP/1.1 requires it.');
    const authority = named === null ? null : parseAuthority(named);
    const isOwn = named === null || (authority !== null && (isLoopback(authority.host) || own.has(authority.host)));
    if (!isOwn && !acceptsAll) {
      req.logFields = { host: named?.slice(0, SHOWN_CHARACTERS) };
      throw new MisdirectedRequestError(adviceFor(authority));
    }
    if (!req.url.startsWith('/')) req.url = req.originalUrl = originForm(req.url);
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseOtherPages(req, authority);
    next();
  };
}

function adviceFor(authority: Authority | null): string {
  const name = authority && hostName(authority.host);
  if (name === null)
    return 'The header Host is no name or address with or without a port: send it with an HTTP library.';
  return (
    `This service is not called ${name}: use localhost, or, where clients are to use that name, start it with ` +
    `--allowed-hosts ${name} (in the environment ..._ALLOWED_HOSTS).`
  );
}

function refuseOtherPages(req: Parameters<RequestHandler>[0], authority: Authority | null): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const isOwnPage = origin === undefined || isOriginOf(origin, authority);
  // "none" is the user. "same-site" is another port of this machine, which may serve someone else's page.
  if (isOwnPage && (site === undefined || site === 'same-origin' || site === 'none')) return;
  req.logFields = { origin: origin?.slice(0, SHOWN_CHARACTERS) ?? null };
  throw new ForbiddenError(
    'A page of another site may not write here: use the pages of this service, or a program outside the browser.',
    { code: 'cross_site' },
  );
}

/** Compares without the scheme, which a TLS proxy changes. */
function isOriginOf(origin: string, authority: Authority | null): boolean {
  const [, scheme = '', rest = ''] = /^(https?):\/\/(.+)$/.exec(origin) ?? [];
  const page = parseAuthority(rest);
  if (page === null || authority === null || page.host !== authority.host) return false;
  const standard = DEFAULT_PORTS[scheme];
  return (page.port || standard) === (authority.port || standard);
}
