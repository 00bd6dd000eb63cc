import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Response } from 'express';

/** Files that the pages of all services share: colours, layout, controls, elements, formats, requests. */
const SHARED = fileURLToPath(new URL('../../dashboard/shared', import.meta.url));

/** Templates, of which every page is made. The package names its files for Node first, in a folder of their own. */
const LIT_HTML = join(dirname(createRequire(import.meta.url).resolve('lit-html')), '..');

/** Scripts, styles and data come only from this server; nothing inline runs, and no text is read as HTML but the templates themselves. */
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
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

/** Browsers keep the files, ask whether each has changed, and get a 304. In place of the no-store of all other answers. */
const KEPT = 'no-cache';
const STATIC = {
  index: false,
  redirect: false,
  cacheControl: false,
  dotfiles: 'ignore',
  setHeaders: (res: ServerResponse) => void res.setHeader('Cache-Control', KEPT),
} as const;

export interface DashboardPage {
  /** For `mount` of createServiceApp: the files of the page, under /dashboard/assets. */
  readonly mount: (app: Express) => void;
  /** Answers getDashboard with index.html. */
  readonly getDashboard: (context: { readonly res: Response }) => Promise<undefined>;
}

/**
 * A page of plain files that needs no build. `folder` is served at /dashboard/assets, what services share at
 * /dashboard/assets/shared, lit-html at /dashboard/assets/lit, and `vendor`, where given, at /dashboard/assets/vendor.
 * @param options.folder with index.html in it
 * @param options.vendor files of a third party
 */
export function dashboardPage({ folder, vendor }: { readonly folder: URL; readonly vendor?: string }): DashboardPage {
  const page = fileURLToPath(folder);
  return {
    mount: (app) => {
      // One router, so that other requests are compared with one path.
      const assets = express.Router({ caseSensitive: true, strict: true });
      if (vendor !== undefined) assets.use('/vendor', express.static(vendor, STATIC));
      assets.use('/lit', express.static(LIT_HTML, STATIC));
      assets.use('/shared', express.static(SHARED, STATIC));
      assets.use(express.static(page, STATIC));
      app.use('/dashboard/assets', assets);
    },
    getDashboard: async ({ res }) => {
      // Express makes no ETag here, since those of JSON answers are off; sendFile would then fail a request with "If-Match: *".
      const { size, mtimeMs } = await stat(join(page, 'index.html'));
      res.set({ 'Cache-Control': KEPT, 'Content-Security-Policy': PAGE_POLICY, ETag: `W/"${size}-${mtimeMs}"` });
      res.sendFile('index.html', { root: page, cacheControl: false });
      return undefined;
    },
  };
}
