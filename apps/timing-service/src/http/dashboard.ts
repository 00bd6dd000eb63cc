import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Handlers } from '@agent-faculties/service-kit';
import express, { type Express } from 'express';
import type { operations } from '../api.gen.ts';

/** The page as it stands in the sources; the build copies nothing. */
const PAGE = fileURLToPath(new URL('../../src/dashboard', import.meta.url));
const UPLOT = join(dirname(createRequire(import.meta.url).resolve('uplot/package.json')), 'dist');

/** Scripts, styles and data come from this server and from nowhere else; nothing inline runs. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Browsers ask again whether a file has changed, and get a 304. */
const STATIC = { index: false, redirect: false, cacheControl: false, dotfiles: 'ignore' } as const;

export function mountDashboardAssets(app: Express): void {
  app.use('/dashboard/assets/vendor', express.static(UPLOT, STATIC));
  app.use('/dashboard/assets', express.static(PAGE, STATIC));
}

export function dashboardHandlers(): Pick<Handlers<operations>, 'getDashboard'> {
  return {
    getDashboard: ({ res }) => {
      res.set('Content-Security-Policy', PAGE_POLICY).sendFile(join(PAGE, 'index.html'), { cacheControl: false });
      return undefined;
    },
  };
}
