import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Response } from 'express';
import { UnavailableError } from '../problems/errors.ts';

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

/** Browsers keep the page, ask whether it has changed, and get a 304. In place of the no-store of all other answers. */
const KEPT = 'no-cache';

/** A file never changes under its name, which has a hash of it. Kept by browsers alone: before a gateway it is asked for with a key. */
const KEPT_FOR_GOOD = 'private, max-age=31536000, immutable';
const ASSETS = {
  index: false,
  redirect: false,
  cacheControl: false,
  dotfiles: 'ignore',
  setHeaders: (res: ServerResponse) => void res.setHeader('Cache-Control', KEPT_FOR_GOOD),
} as const;

export interface DashboardPage {
  /** For `mount` of createServiceApp: the files of the page, under /dashboard/assets. */
  readonly mount: (app: Express) => void;
  /** Answers getDashboard with index.html. @throws UnavailableError where the page was not built */
  readonly getDashboard: (context: { readonly res: Response }) => Promise<undefined>;
}

/** @param folder as scripts/lib/dashboards.mjs writes it: index.html, and in `assets` what that names */
export function dashboardPage(folder: URL): DashboardPage {
  const page = fileURLToPath(folder);
  return {
    mount: (app) => {
      app.use('/dashboard/assets', express.static(join(page, 'assets'), ASSETS));
    },
    getDashboard: async ({ res }) => {
      // Express makes no ETag here, since those of JSON answers are off; sendFile would then fail a request with "If-Match: *".
      const ETag = tagOf(await readBuilt(join(page, 'index.html')));
      res.set({ 'Cache-Control': KEPT, 'Content-Security-Policy': PAGE_POLICY, ETag });
      res.sendFile('index.html', { root: page, cacheControl: false });
      return undefined;
    },
  };
}

/** Of the content: the pages of two versions may be of one size and of one time, as npm packs them. */
function tagOf(page: Buffer): string {
  return `"${createHash('sha256').update(page).digest('hex').slice(0, 16)}"`;
}

async function readBuilt(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UnavailableError(
      'The dashboard of this service has not been built: run "npm run build" in the folder of its sources, then load this page again.',
      { cause: error },
    );
  }
}
