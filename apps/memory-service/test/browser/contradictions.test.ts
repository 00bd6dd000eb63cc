/// <reference lib="dom" />

import type { PairScorer } from '@agent-faculties/embeddings';
import {
  axeFaults,
  axeFaultsInBothSchemes,
  type Browser,
  chromiumPath,
  launchChromium,
  openWatchedPage,
  type WatchedPage,
} from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeFastEmbedder } from '../start-service.ts';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = chromiumPath({ mayBeShell: true });
const OPENS = '<b>The Alder pool</b> opens at 7:00.';
const LATER = 'The Alder pool opens at 9:30, not at 10:00.';

/** Stands for the model: every pair that it is asked about contradicts. */
const SURE: PairScorer = {
  modelId: 'sure@000000000000',
  score: async (pairs) => Float32Array.from(pairs, () => 0.97),
  isReady: () => true,
  close: async () => {},
};

(executablePath === null ? describe.skip : describe)('the view of contradictions', () => {
  let browser: Browser;
  let service: RealService;
  let watched: WatchedPage;
  let page: WatchedPage['page'];
  const item = () => page.locator('.contradictions > li');
  const claims = () => item().locator('.claim');

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string);
    service = await startRealService({ pairScorer: SURE });
    await service.call('POST', '/ingest', 'ann', { content: OPENS });
    service.clock.advance(60_000);
    await service.call('POST', '/ingest', 'bob', { content: LATER, name: 'Bob' });
  });
  afterEach(async () => {
    expect(watched.faults).toEqual([]);
    await page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await closeFastEmbedder();
  });

  /** A key means something only once the page knows what is next. */
  const settled = () => page.locator('.contradictions[aria-busy="false"]').waitFor({ state: 'attached' });
  async function press(key: string) {
    await settled();
    await page.keyboard.press(key);
    await settled();
  }

  async function open(width: number) {
    watched = await openWatchedPage(browser, { width });
    page = watched.page;
    await page.goto(`${service.url}/dashboard#agent=cid&view=contradictions`);
    await item().waitFor();
  }

  test('names each button apart where one memory stands in several contradictions', async () => {
    const own = await startRealService({ pairScorer: SURE });
    try {
      for (const [agent, hour] of [
        ['ann', '7:00'],
        ['bob', '9:30'],
        ['cid', '11:00'],
      ] as const) {
        await own.call('POST', '/ingest', agent, { content: `The Alder pool opens at ${hour}.` });
        own.clock.advance(60_000);
      }
      watched = await openWatchedPage(browser, { width: 1440 });
      page = watched.page;
      await page.goto(`${own.url}/dashboard#agent=cid&view=contradictions`);
      await page.getByText('3 contradictions; 3 memories compared').waitFor();
      const names = await page.getByRole('button', { name: /^This holds/ }).allTextContents();
      expect(names).toHaveLength(6);
      expect(await axeFaults(page)).toEqual([]);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test.each([1440, 390])('shows both sides with the words that clash, %i pixels wide', async (width) => {
    await open(width);
    await page.getByText('1 contradiction; 2 memories compared').waitFor();
    expect(await claims().locator('.claim-gist').allTextContents()).toEqual([OPENS, LATER]);
    expect(await claims().locator('mark').allTextContents()).toEqual(['7:00', '9:30']);
    await item().getByText('high confidence').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  test('breaks a long word of what two claims are about, here and beside what is recalled', async () => {
    const own = await startRealService({ pairScorer: SURE });
    try {
      const address = `https://ledger.example/${'backups-'.repeat(20)}`;
      await own.call('POST', '/ingest', 'ann', { content: `Copies of ${address} are kept for 30 days.` });
      await own.call('POST', '/ingest', 'bob', { content: `Copies of ${address} are kept for 90 days.` });
      watched = await openWatchedPage(browser, { width: 375 });
      page = watched.page;
      await page.goto(`${own.url}/dashboard#agent=cid&view=contradictions`);
      await item().locator('h3').getByText('ledger.example').waitFor();
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      expect(await width()).toBe(375);
      await page.goto(`${own.url}/dashboard#agent=cid&view=search&query=How long are copies kept?`);
      await page.locator('.why-remarks').first().getByText('Undecided').waitFor();
      expect(await width()).toBe(375);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('shows of each side in which project it is, and whether others see it', async () => {
    const own = await startRealService({ pairScorer: SURE });
    try {
      await own.call('POST', '/ingest', 'ann', { content: OPENS, project: 'baths', scope: 'SHARED' });
      own.clock.advance(60_000);
      await own.call('POST', '/ingest', 'bob', { content: LATER, project: 'baths' });
      watched = await openWatchedPage(browser, { width: 390 });
      page = watched.page;
      await page.goto(`${own.url}/dashboard#agent=cid&project=baths&view=contradictions`);
      await item().waitFor();
      const badges = await claims().evaluateAll((all) => all.map((one) => one.querySelector('.badge')?.textContent));
      expect(badges).toEqual(['SHARED', undefined]);
      expect(await claims().locator('.origin-project').allTextContents()).toEqual(['baths', 'baths']);
      expect(await axeFaults(page)).toEqual([]);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test.each([1440, 375])(
    'counts who contradicts whom, and shows what lies between two, %i pixels wide',
    async (width) => {
      const own = await startRealService({ pairScorer: SURE });
      try {
        await own.call('POST', '/ingest', 'ann', { content: OPENS });
        await own.call('POST', '/ingest', 'ann', { content: 'The Birch sauna has 4 benches.' });
        for (const [agent, benches] of [
          ['bob', 6],
          ['cid', 8],
        ] as const) {
          own.clock.advance(60_000);
          await own.call('POST', '/ingest', agent, { content: `The Birch sauna has ${benches} benches.` });
        }
        await own.call('POST', '/ingest', 'bob', { content: LATER });
        const { contradictions } = (await own.call('POST', '/contradictions', 'dan', {})) as unknown as {
          contradictions: { a: { agent_id: string }; b: { agent_id: string } }[];
        };
        const annAndBob = contradictions.filter(({ a, b }) =>
          `${a.agent_id}${b.agent_id}`.match(/annbob|bobann/),
        ).length;
        expect(annAndBob).toBe(2);
        watched = await openWatchedPage(browser, { width });
        page = watched.page;
        await page.goto(`${own.url}/dashboard#agent=dan&view=contradictions`);
        const pairs = page.getByRole('group', { name: 'Between whom' }).getByRole('button');
        await pairs.first().waitFor();
        // The pair with the most comes first.
        expect((await pairs.allTextContents()).slice(0, 2)).toEqual([
          `All speakers ${contradictions.length}`,
          'ann and bob 2',
        ]);
        expect(await item().count()).toBe(contradictions.length);
        await pairs.nth(1).focus();
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => document.querySelectorAll('.contradictions > li').length === 2);
        expect(await axeFaultsInBothSchemes(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        // It is kept in the address.
        await page.reload();
        await pairs.first().waitFor();
        expect(await item().count()).toBe(2);
        expect(await pairs.nth(1).getAttribute('aria-pressed')).toBe('true');
        await item().first().getByRole('button', { name: 'Skip' }).focus();
        await page.keyboard.press('Enter');
        await page.locator('.contradictions > li:first-child h3:focus').waitFor();
        // Keys decide what lies between the two, and when nothing is left there, all are shown again.
        await press('d');
        await page.waitForFunction(() => document.querySelectorAll('.contradictions > li').length === 1);
        await press('d');
        await page.waitForFunction(
          (left) => document.querySelectorAll('.contradictions > li').length === left,
          contradictions.length - 2,
        );
      } finally {
        await page.goto('about:blank');
        await own.close();
      }
    },
  );

  test('shows the pair of the address among the others, however few lie between the two', async () => {
    const own = await startRealService({ pairScorer: SURE });
    try {
      const pools = 'Alder Birch Cedar Dune Elm Fjord Grove Heath Iris Juniper'.split(' ');
      for (const opens of ['7:00', '9:30']) {
        own.clock.advance(60_000);
        for (const pool of pools)
          await own.call('POST', '/ingest', `${pool} ${opens}`, { content: `The ${pool} pool opens at ${opens}.` });
      }
      await own.call('POST', '/contradictions', 'ivy', {});
      watched = await openWatchedPage(browser, { width: 375 });
      page = watched.page;
      await page.goto(`${own.url}/dashboard#agent=ivy&view=contradictions`);
      const pairs = page.getByRole('group', { name: 'Between whom' });
      const unfold = pairs.getByRole('button', { name: /^\d+ more pairs?$/ });
      const folded = Number.parseInt((await unfold.textContent()) ?? '', 10);
      await unfold.click();
      const last = pairs.getByRole('button').last();
      const name = await last.textContent();
      await last.click();
      await page.waitForFunction(() => location.hash.includes('speakers='));
      await page.reload();
      await unfold.waitFor();
      expect(await pairs.locator('[aria-pressed="true"]').textContent()).toBe(name);
      expect(Number.parseInt((await unfold.textContent()) ?? '', 10)).toBe(folded - 1);
      expect(await item().count()).toBe(1);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('shows ten at first, and the others on demand', async () => {
    const own = await startRealService({ pairScorer: SURE });
    try {
      const pools = 'Alder Birch Cedar Dune Elm Fjord Grove Heath Iris Juniper Kestrel Larch'.split(' ');
      for (const pool of pools)
        await own.call('POST', '/ingest', 'ann', { content: `The ${pool} pool opens at 7:00.` });
      own.clock.advance(60_000);
      for (const pool of pools)
        await own.call('POST', '/ingest', 'bob', { content: `The ${pool} pool opens at 9:30.` });
      const { total } = (await own.call('POST', '/contradictions', 'dan', {})) as unknown as { total: number };
      expect(total).toBeGreaterThan(10);
      watched = await openWatchedPage(browser, { width: 375 });
      page = watched.page;
      await page.goto(`${own.url}/dashboard#agent=dan&view=contradictions`);
      const more = page.getByRole('button', { name: `More: ${total - 10} are left` });
      await more.waitFor();
      expect(await item().count()).toBe(10);
      await more.press('Enter');
      await item().nth(10).locator('h3:focus').waitFor();
      await page.waitForFunction((all) => document.querySelectorAll('.contradictions > li').length === all, total);
      expect(await more.count()).toBe(0);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('is decided by keys while new memories are still compared, and no newcomer takes the place of the next', async () => {
    await open(1440);
    const { contradictions } = (await service.call('POST', '/contradictions', 'cid', {})) as unknown as {
      contradictions: { id: string; a: object; b: object }[];
    };
    const [first] = contradictions as [(typeof contradictions)[0]];
    const newcomer = { ...first, id: 'newcomer', score: 1, topic: 'a newcomer' };
    const decided: string[] = [];
    let compare = () => {};
    const isComparing = new Promise<void>((resolve) => {
      compare = resolve;
    });
    await page.route('**/contradictions', async (route) => {
      const isFirst = route.request().postDataJSON().wait_ms === 0;
      if (!isFirst) await isComparing;
      await route.fulfill({
        json: {
          contradictions: isFirst ? [first] : [newcomer, first],
          total: isFirst ? 1 : 2,
          compared: 2,
          pending: isFirst ? 9 : 0,
        },
      });
    });
    await page.route('**/contradictions/*/resolve', async (route) => {
      decided.push(`${new URL(route.request().url()).pathname} ${JSON.stringify(route.request().postDataJSON())}`);
      await route.fulfill({ json: {} });
    });
    await page.reload();
    await page.getByText('1 contradiction; 2 memories compared, 9 more wait').waitFor();
    await press('d');
    await page.getByText('Decided.').waitFor({ state: 'attached' });
    compare();
    await item().nth(1).waitFor();
    expect(await item().locator('h3').allTextContents()).toEqual([expect.not.stringMatching('newcomer'), 'a newcomer']);
    await page.unroute('**/contradictions');
    await page.route('**/contradictions', (route) =>
      route.fulfill({ json: { contradictions: [newcomer, first], total: 2, compared: 2, pending: 0 } }),
    );
    await press('d');
    const dismissed = `/contradictions/${first.id}/resolve {"dismiss":true}`;
    expect(decided).toEqual([dismissed, dismissed]);
    // What is taken back is the next one, to be decided anew.
    await press('s');
    await page.locator('[data-next="yes"]', { hasText: 'a newcomer' }).waitFor();
    await press('u');
    await page.locator('[data-next="yes"]', { hasNotText: 'a newcomer' }).waitFor();
  });

  test('decides once where a key is pressed twice, and puts what is taken back before the others again', async () => {
    const own = await startRealService({ pairScorer: SURE });
    try {
      const pools = ['Alder', 'Birch', 'Cedar'];
      for (const pool of pools)
        await own.call('POST', '/ingest', 'ann', { content: `The ${pool} pool opens at 7:00.` });
      own.clock.advance(60_000);
      for (const pool of pools)
        await own.call('POST', '/ingest', 'bob', { content: `The ${pool} pool opens at 9:30.` });
      watched = await openWatchedPage(browser, { width: 1440 });
      page = watched.page;
      await page.goto(`${own.url}/dashboard#agent=dan&view=contradictions`);
      const next = page.locator('[data-next="yes"] .claim-gist').first();
      const decided = await next.textContent();
      // Pressed twice before it is answered it is still one decision.
      await page.evaluate(() => {
        const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
        press();
        press();
      });
      await page.waitForFunction(
        (gist) => document.querySelector('[data-next="yes"] .claim-gist')?.textContent !== gist,
        decided,
      );
      const before = await item().count();
      expect(watched.requests.filter((request) => request.url().includes('/resolve'))).toHaveLength(1);
      await press('u');
      await page.waitForFunction((count) => document.querySelectorAll('.contradictions > li').length > count, before);
      expect(await next.textContent()).toBe(decided);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('follows what others make of its memories, goes on where one is gone, and says a refusal in words', async () => {
    const own = await startRealService({ pairScorer: SURE });
    const say = async (agent: string, content: string, query = '') => {
      const { memory } = await own.call('POST', `/ingest${query}`, agent, { content });
      return (memory as unknown as { id: string }).id;
    };
    try {
      const pairs: [string, string][] = [
        ['The Alder pool opens at 7:00.', 'The Alder pool opens at 9:30.'],
        ['The payment page runs on PostgreSQL 14.', 'The payment page runs on PostgreSQL 16.'],
        ['Dana drives a green van.', 'Dana drives a white van.'],
      ];
      const early = await Promise.all(pairs.map(([first]) => say('ann', first)));
      own.clock.advance(60_000);
      for (const [, second] of pairs) await say('bob', second, '?project=pools');
      watched = await openWatchedPage(browser, { width: 1440 });
      page = watched.page;
      await page.goto(`${own.url}/dashboard#agent=dan&view=contradictions`);
      await page.locator('#live[data-state="live"]').waitFor();
      const next = page.locator('[data-next="yes"]');
      const nextPair = async () => {
        const shown = (await next.textContent()) ?? '';
        return pairs.findIndex(([first]) => shown.includes(first));
      };
      const counted = (count: number) => page.waitForFunction((all) => document.title.startsWith(`(${all}) `), count);
      const edit = async (pair: number) => {
        own.clock.advance(1000);
        await own.call('PUT', `/memory/${early[pair]}`, 'eve', { gist: `Nothing is known of case ${pair}.` });
      };
      await item().nth(2).waitFor();

      // Of what was decided last nothing is left to be taken back.
      const kept = await nextPair();
      await press('d');
      await counted(2);
      const edited = await nextPair();
      await press('d');
      await counted(1);
      await edit(edited);
      await press('u');
      const banner = page.getByRole('alert');
      await banner.getByText('list the contradictions again').waitFor();
      await press('u');
      await counted(2);

      // Nobody but the readers of one project would see what holds.
      const [first, second] = pairs[kept] as [string, string];
      await next.getByRole('button', { name: `This holds “${second}” and not “${first}”` }).click();
      await banner.getByText(`Memory “${first}” is seen in projects`).waitFor();
      expect(await banner.textContent()).not.toContain(early[kept]);

      await edit(kept);
      await counted(1);
      await page.waitForFunction(() => document.querySelectorAll('.contradictions > li').length === 1);
      watched.faults.length = 0;
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  const tab = (name: string) => page.getByRole('button', { name, exact: true });
  const nothing = () => page.getByText('Nothing that is remembered disagrees.').waitFor();

  test('decides which holds, takes it back, and lets both stand', async () => {
    await open(1440);
    await page.waitForFunction(() => document.title === '(1) Contradictions · Memory');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `This holds “${LATER}” and not “${OPENS}”`, exact: true }).focus();
    await page.keyboard.press('Enter');
    await nothing();
    await page.locator('h2:focus', { hasText: 'Contradictions' }).waitFor();
    await page.waitForFunction(() => document.title === 'Contradictions · Memory');
    await tab('Decided').click();
    await item().getByText('cid decided').waitFor();
    // What is listed is kept in the address, and the browser's buttons go back through it.
    await page.getByLabel('also of one speaker').check();
    await page.reload();
    await item().getByText('cid decided').waitFor();
    expect(await tab('Decided').getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByLabel('also of one speaker').isChecked()).toBe(true);
    await page.goBack();
    await page.goBack();
    await page.getByText('Nothing that is remembered disagrees.').waitFor();
    expect(await tab('Undecided').getAttribute('aria-pressed')).toBe('true');
    await page.goForward();
    await item().getByText('cid decided').waitFor();
    const { memories } = (await service.call('GET', '/memories', 'cid')) as unknown as {
      memories: { id: string; superseded_by: string | null }[];
    };
    expect(memories.map(({ superseded_by }) => superseded_by)).toEqual([null, memories[0]?.id]);
    await item().getByRole('button', { name: 'Open again' }).click();
    await page.getByText('Nothing was decided so yet.').waitFor();
    await tab('Undecided').click();
    await item().getByRole('button', { name: 'Both may stand' }).click();
    await nothing();
    await page.getByRole('button', { name: 'Undo the last decision' }).press('Enter');
    await page.locator('h2:focus', { hasText: 'Contradictions' }).waitFor();
    await item().waitFor();
  });

  test('is decided by keys alone', async () => {
    const superseded = async () => {
      const { memories } = (await service.call('GET', '/memories', 'cid')) as unknown as {
        memories: { gist: string; superseded_by: string | null }[];
      };
      return memories.filter(({ superseded_by }) => superseded_by !== null).map(({ gist }) => gist);
    };
    await open(1440);
    await press('s');
    await page.getByText('Skipped.').waitFor({ state: 'attached' });
    expect(await superseded()).toEqual([]);
    await press('a');
    await nothing();
    expect(await superseded()).toEqual([LATER]);
    await press('u');
    await item().waitFor();
    await press('b');
    await nothing();
    expect(await superseded()).toEqual([OPENS]);
    await press('u');
    await item().waitFor();
    await press('d');
    await nothing();
    expect(await superseded()).toEqual([]);
    await press('u');
    await item().waitFor();
  });
});
