/** Requests of a page to the service that it came from. */

import { learnServerTime } from './clock.js';

/** A request that has no answer by then counts as failed; the services answer in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;

class ApiError extends Error {
  /** @param {number} status 0 when there was no answer @param {string} detail */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The space that the address of the page names; empty for the default one, or for that of the gateway's key. */
export const pageSpace = () => new URLSearchParams(location.search).get('space') ?? '';

/** @param {string} path @param {Record<string, string | number | null | undefined>} query what is empty is left out */
function addressOf(path, query) {
  // Beside the page, so that a gateway may serve both in a folder.
  const address = `.${path}`;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return parameters.size === 0 ? address : `${address}?${parameters}`;
}

/**
 * @param {string} path
 * @param {{ method?: string, query?: Record<string, string | number | null | undefined>, headers?: Record<string, string>, body?: unknown, signal?: AbortSignal | undefined, timeoutMs?: number }} [options]
 *   `body` is sent as JSON; `signal` ends the request early and then throws the browser's own error
 * @returns {Promise<{ body: any, headers: Headers }>}
 * @throws {ApiError} with the detail of the problem document, or with what can be said without one
 */
export async function request(
  path,
  { method = 'GET', query = {}, headers = {}, body, signal, timeoutMs = REQUEST_TIMEOUT_MS } = {},
) {
  const timeout = AbortSignal.timeout(timeoutMs);
  const askedAtMs = Date.now();
  let response;
  let answer;
  try {
    response = await fetch(addressOf(path, query), {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(pageSpace() === '' ? {} : { 'X-Space': pageSpace() }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    learnServerTime(response.headers, askedAtMs);
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (response && !response.ok) throw new ApiError(response.status, `The service answered ${response.status}`);
    throw new ApiError(0, 'The service does not answer');
  }
  if (!response.ok) throw new ApiError(response.status, answer?.detail ?? `The service answered ${response.status}`);
  return { body: answer, headers: response.headers };
}
