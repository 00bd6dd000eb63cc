import type { RequestHandler } from 'express';

/** For answers that are no pages. A page sets its own policy. */
const NOTHING_MAY_LOAD = "default-src 'none'; frame-ancestors 'none'";

/**
 * Stored text is never to be taken for a page nor loaded into one of another origin, and an answer about now is never to be served from a cache: who asks may stand
 * in a header, which the key of a cache does not have.
 */
export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Security-Policy', NOTHING_MAY_LOAD);
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cache-Control', 'no-store');
  next();
};
