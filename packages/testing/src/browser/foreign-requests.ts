/// <reference lib="dom" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** A name whose owner points it to this machine, as in DNS rebinding. For launchChromium. */
export const REBOUND_HOST = 'evil.test';
export const REBINDING = `--host-resolver-rules=MAP ${REBOUND_HOST} 127.0.0.1`;

export interface BlankPages {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves an empty page at every path, on 127.0.0.1: another origin than that of any service. */
export async function serveBlankPages(): Promise<BlankPages> {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>other</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** How many requests `sendInEveryWay` makes a browser send. */
export const WAYS = 6;

/**
 * Has a page send a write to `url` in each way that a browser offers to a page of another origin: fetch without CORS, bare and
 * with a body, a beacon, a form, a form of a frame without an origin, and fetch with CORS, of which the preflight is sent.
 */
export async function sendInEveryWay(page: Page, url: string): Promise<void> {
  await page.evaluate(async (target) => {
    const sent = (request: Promise<unknown>) => request.catch(() => {});
    const submit = (sandbox: string) => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', sandbox);
      frame.srcdoc = `<form method="post" enctype="text/plain" action="${target}"></form>
        <script>document.forms[0].submit()</script>`;
      document.body.append(frame);
    };
    await sent(fetch(target, { method: 'POST', mode: 'no-cors' }));
    await sent(fetch(target, { method: 'POST', mode: 'no-cors', body: '{}' }));
    navigator.sendBeacon(target);
    submit('allow-scripts allow-forms allow-same-origin');
    submit('allow-scripts allow-forms');
    await sent(fetch(target, { method: 'DELETE' }));
  }, url);
}

/** What a page gets to see of `url` by each way of reading: the text, or the name of the error. */
export function readInEveryWay(page: Page, url: string): Promise<string[]> {
  return page.evaluate((target) => {
    const read = (options: RequestInit) =>
      fetch(target, options).then(
        (response) => response.text(),
        (error: Error) => error.name,
      );
    return Promise.all([read({}), read({ mode: 'no-cors' }), read({ credentials: 'include' })]);
  }, url);
}
