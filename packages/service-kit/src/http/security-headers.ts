import type { RequestHandler } from 'express';

/** The policy of answers other than pages. A page sets its own. */
const NOTHING_MAY_LOAD = "default-src 'none'; frame-ancestors 'none'";

/**
 * Browsers must not render stored text as a page, nor load it into a page of another origin. Caches must not keep answers: the
 * caller may be named in a header, which is not part of a cache key.
 */
export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Security-Policy', NOTHING_MAY_LOAD);
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cache-Control', 'no-store');
  next();
};
