/// <reference lib="dom" />
import type { Server } from 'node:http';
import { listen } from '@agent-faculties/service-kit';
import {
  type BlankPages,
  type Browser,
  chromiumPath,
  launchChromium,
  type Page,
  REBINDING,
  REBOUND_HOST,
  readInEveryWay,
  sendInEveryWay,
  serveBlankPages,
  WAYS,
} from '@agent-faculties/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService, temporaryFolder } from '../start-service.ts';

const executablePath = chromiumPath();
const folder = temporaryFolder();

(executablePath === null ? describe.skip : describe)('a page of another site', () => {
  let browser: Browser;
  let service: TestService;
  let server: Server;
  let port: number;
  let others: BlankPages;
  /** "POST 403": each request that came, with the status of its answer. */
  let answered: string[];
  let onAnswer: () => void;

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string, { args: [REBINDING] });
    others = await serveBlankPages();
    service = await startTestService({ dataDir: folder.path });
    const listening = await listen(service.app, { host: '127.0.0.1', port: 0 });
    ({ server } = listening);
    ({ port } = listening.address);
    server.prependListener('request', (req, res) => {
      res.once('close', () => {
        answered.push(`${req.method} ${res.statusCode}`);
        onAnswer();
      });
    });
    await say(service, 'ann', { content: 'The spare key lies under the blue pot.', scope: 'PRIVATE' });
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
    await service?.close();
    folder.remove();
    await closeFastEmbedder();
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
  const state = async () => {
    const texts = ['/export?agent_id=ann', '/consolidate', '/pruned?agent_id=ann', '/health'].map(async (path) => {
      return (await supertest(service.app).get(path)).text;
    });
    return [...(await Promise.all(texts)), service.opened.persistence.state()];
  };
  const REFUSED = ['OPTIONS 403', ...Array(WAYS - 1).fill('POST 403')];

  test.each([
    ['another site', `http://${REBOUND_HOST}`],
    ['another port of this machine', 'http://127.0.0.1'],
  ])('at %s changes nothing, however it sends', async (_, origin) => {
    const page = await open(`${origin}:${others.port}/`);
    const before = await state();
    for (const path of ['/save', '/consolidate', '/end_of_day', '/memories/agent/ann?agent_id=ann']) {
      answered = [];
      await sendInEveryWay(page, own(path));
      expect([path, await answers(WAYS)]).toEqual([path, REFUSED]);
    }
    expect(await state()).toEqual(before);
  });

  test('sees nothing, however it reads', async () => {
    const page = await open(`http://${REBOUND_HOST}:${others.port}/`);
    for (const path of ['/health', '/memories?agent_id=ann', '/export?agent_id=ann', '/dashboard', '/metrics']) {
      expect([path, await readInEveryWay(page, own(path))]).toEqual([path, ['TypeError', 'TypeError', 'TypeError']]);
    }
  });

  test('that has its own name point here neither sees nor changes anything', async () => {
    // The page was loaded before the name changed, hence without the policy of what stands there now.
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    const loaded = await page.goto(`http://${REBOUND_HOST}:${port}/dashboard`);
    expect(loaded?.status()).toBe(421);
    const before = await state();
    const got = await page.evaluate(
      async (requests) => {
        const send = async ([method, path]: readonly [string, string]) => {
          const response = await fetch(path, { method, headers: { 'X-Agent-ID': 'ann' } });
          return `${response.status} ${await response.text()}`;
        };
        return Promise.all(requests.map(send));
      },
      [
        ['GET', '/memories'],
        ['GET', '/export'],
        ['POST', '/save'],
        ['POST', '/end_of_day'],
        ['DELETE', '/memories/agent/ann'],
      ] as const,
    );
    for (const text of got) expect(text).toMatch(/^421 .*"code":"misdirected_request"/);
    expect(await state()).toEqual(before);
  });

  test('is told apart from the own one, which writes', async () => {
    const page = await open(own('/dashboard'));
    const status = await page.evaluate(async (path) => (await fetch(path, { method: 'POST' })).status, '/save');
    expect(status).toBe(200);
  });
});
