import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchChromium } from './chromium.ts';
import {
  type BlankPages,
  REBINDING,
  REBOUND_HOST,
  readInEveryWay,
  sendInEveryWay,
  serveBlankPages,
  WAYS,
} from './foreign-requests.ts';

type Request = readonly [method: string, path: string];

export interface OtherPages {
  /** Starts the service, with something in it that 'ann' alone may see. */
  readonly start: () => Promise<RequestListener>;
  readonly stop: () => Promise<void>;
  /** All that the service keeps. */
  readonly state: () => Promise<unknown>;
  /** Paths to which a POST would write. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** What a page would ask for under a name that points to this machine. */
  readonly rebound: readonly Request[];
  /** A path to which the service's own page may POST. */
  readonly ownWrite: string;
}

/** Registers tests, in a real browser, of what a page of another site can do to a service on this machine: nothing. */
export function describeOtherPages({ start, stop, state, writes, reads, rebound, ownWrite }: OtherPages): void {
  const executablePath = chromiumPath();

  (executablePath === null ? describe.skip : describe)('a page of another site', () => {
    let browser: Browser;
    let server: Server;
    let port: number;
    let others: BlankPages;
    /** "POST 403": each request that came, with the status of its answer. */
    let answered: string[];
    let onAnswer: () => void;

    beforeAll(async () => {
      browser = await launchChromium(executablePath as string, { args: [REBINDING] });
      others = await serveBlankPages();
      server = createServer(await start()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
      server.prependListener('request', (req, res) => {
        res.once('close', () => {
          answered.push(`${req.method} ${res.statusCode}`);
          onAnswer();
        });
      });
    });
    beforeEach(() => {
      answered = [];
      onAnswer = () => {};
    });
    afterAll(async () => {
      await browser?.close();
      await others?.close();
      server?.close();
      server?.closeAllConnections();
      await stop();
    });

    const own = (path: string) => `http://127.0.0.1:${port}${path}`;
    /** The last answers may come after the page is done. */
    const answers = (count: number) =>
      new Promise<string[]>((resolve) => {
        onAnswer = () => {
          if (answered.length >= count) resolve(answered.toSorted());
        };
        onAnswer();
      });
    const open = async (url: string): Promise<Page> => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(url);
      return page;
    };
    const REFUSED = ['OPTIONS 403', ...Array(WAYS - 1).fill('POST 403')];

    test.each([
      ['another site', `http://${REBOUND_HOST}`],
      ['another port of this machine', 'http://127.0.0.1'],
    ])('at %s changes nothing, however it sends', async (_, origin) => {
      const page = await open(`${origin}:${others.port}/`);
      const before = await state();
      for (const path of writes) {
        answered = [];
        await sendInEveryWay(page, own(path));
        expect([path, await answers(WAYS)]).toEqual([path, REFUSED]);
      }
      expect(await state()).toEqual(before);
    });

    test('sees nothing, however it reads', async () => {
      const page = await open(`http://${REBOUND_HOST}:${others.port}/`);
      for (const path of reads) {
        expect([path, await readInEveryWay(page, own(path))]).toEqual([path, ['TypeError', 'TypeError', 'TypeError']]);
      }
    });

    test('that has its own name point here neither sees nor changes anything', async () => {
      // The page was loaded before the name changed, hence without the policy of what stands there now.
      const page = await (await browser.newContext({ bypassCSP: true })).newPage();
      const loaded = await page.goto(`http://${REBOUND_HOST}:${port}/dashboard`);
      expect(loaded?.status()).toBe(421);
      const before = await state();
      const got = await page.evaluate(async (requests) => {
        const send = async ([method, path]: Request) => {
          const response = await fetch(path, { method, headers: { 'X-Agent-ID': 'ann' } });
          return `${response.status} ${await response.text()}`;
        };
        return Promise.all(requests.map(send));
      }, rebound);
      expect(got).toHaveLength(rebound.length);
      for (const text of got) expect(text).toMatch(/^421 .*"code":"misdirected_request"/);
      expect(await state()).toEqual(before);
    });

    test('is told apart from the own one, which writes', async () => {
      const page = await open(own('/dashboard'));
      const status = await page.evaluate(async (path) => (await fetch(path, { method: 'POST' })).status, ownWrite);
      expect(status).toBe(200);
    });
  });
}
