/// <reference lib="dom" />
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ARABIC_NAME,
  arabicNames,
  axeFaultsInBothSchemes,
  type Browser,
  chromiumPath,
  launchChromium,
  layoutShift,
  openWatchedPage,
  type WatchedPage,
} from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = chromiumPath({ mayBeShell: true });
const HOSTILE = '<img src=x onerror=alert(1)>';
const DAY_MS = 86_400_000;
const idOf = (place: number) => `00000000-0000-7000-9000-${String(place).padStart(12, '0')}`;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Thirty days of two agents, one of them with a name that looks like HTML; of each ten memories one is superseded by the next. */
const QUARTER = Array.from({ length: 1_200 }, (_, place) => ({
  id: idOf(place),
  content: `Entry ${place} of the log: ${HOSTILE}`,
  agent_id: place % 3 === 0 ? HOSTILE : 'bob',
  session_id: `day-${Math.floor(place / 40)}`,
  created_at: daysAgo(30 - place / 40),
  updated_at: daysAgo(30 - place / 40),
  ...(place % 10 === 3 && {
    superseded_by: idOf(place + 1),
    supersession: { agent_id: 'bob', at: daysAgo(29 - place / 40), reason: 'said anew' },
  }),
}));

(executablePath === null ? describe.skip : describe)('the pictures of the dashboard', () => {
  let browser: Browser;
  let service: RealService;
  let watched: WatchedPage;
  let page: WatchedPage['page'];

  async function open(fragment = '', { width = 1440, at = service } = {}): Promise<void> {
    watched = await openWatchedPage(browser, { width });
    page = watched.page;
    await page.goto(`${at.url}/dashboard${fragment}`);
  }
  const tile = (label: string) => page.locator('.tile', { hasText: label }).locator('dd');
  const detail = () => page.locator('#detail[open]');
  const address = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
  const note = () => page.locator('#timeline .card-note').first();
  const visible = (selector: string) => page.locator(`${selector}:visible`).first();

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string);
    service = await startRealService({ embedder: null });
    service.clock.advance(Date.now() - service.clock.now());
    await service.call('POST', '/merge', 'bob', { memories: QUARTER });
  });
  afterEach(async () => {
    await page.context().close();
    expect(watched.faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test('draw how much was said on each day, and go on by themselves when more is said', async () => {
    await open('#agent=ann');
    await tile('Memories').getByText('1,200').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('.chart-legend').getByText(HOSTILE, { exact: true }).waitFor();
    const chart = page.getByRole('slider', { name: 'Memories by day and agent' });
    const top = await page.locator('.chart-top').boundingBox();
    const drawn = (await chart.boundingBox()) as { x: number; y: number; height: number };
    expect((top?.y ?? 0) + (top?.height ?? 0)).toBeLessThanOrEqual(drawn.y);
    // The line in the middle has its number beside it.
    const middle = page.locator('.chart-middle');
    expect(Number(await middle.textContent())).toBe(Number(await page.locator('.chart-top').textContent()) / 2);
    const label = (await middle.boundingBox()) as { x: number; y: number; width: number; height: number };
    expect(Math.abs(label.y + label.height / 2 - drawn.y - drawn.height / 2)).toBeLessThan(2);
    expect(label.x + label.width).toBeLessThanOrEqual(drawn.x);
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    // Forty a day, of which each third is of one agent: yesterday and the day before lie in it whole.
    await page.locator('.chart-told').getByText('bob 2').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#browse .memory').first().waitFor();
    expect(address().get('from')).toBe(address().get('to'));
    await page.goBack();
    await service.call('POST', '/ingest', 'cid', { content: 'One more, said while somebody looks.' });
    await tile('Memories').getByText('1,201').waitFor();
    await page.locator('.short-list').getByText('One more, said while somebody looks.').waitFor();
  });

  test('show who said when, what held then, and come closer down to each memory', async () => {
    await open('#agent=ann&view=timeline');
    await note()
      .getByText(/1,2\d\d memories/)
      .waitFor();
    const drawn = () => page.locator('.lane-counts .past').first().getAttribute('d');
    expect(await drawn()).not.toBe('');
    await page.getByRole('button', { name: 'Week', exact: true }).click();
    await page.locator('.lane-points circle').first().waitFor();
    expect(await page.locator('.lane-points circle.past').count()).toBeGreaterThan(10);
    // Below the lanes the newest of them in words, and all on demand.
    const words = page.locator('.said-place li');
    expect(await words.count()).toBe(25);
    await page.getByRole('button', { name: /^Show all \d+ memories$/ }).click();
    expect(await words.count()).toBeGreaterThan(25);
    const fadedNow = await page.locator('.lane-points circle.past').count();
    // In the middle of the week the second half was not said yet, and less had been said anew.
    await page.getByLabel('What was held true').fill('500');
    await page.locator('circle.later').first().waitFor();
    expect(await page.locator('circle.past').count()).toBeLessThan(fadedNow);
    await page.waitForFunction(() => location.hash.includes('as_of='));
    const now = page.getByRole('button', { name: 'Now', exact: true });
    await now.press('Enter');
    await page.waitForFunction(() => !location.hash.includes('as_of='));
    expect(await now.evaluate((button) => button === document.activeElement)).toBe(true);
    const since = address().get('since') as string;
    await page.getByRole('group', { name: 'Lanes of agents' }).focus();
    await page.keyboard.press('+');
    await page.waitForFunction((before) => !location.hash.includes(encodeURIComponent(before)), since);
    await page.locator('.lane-points a').first().click();
    await detail().locator('.said').getByText(HOSTILE).waitFor();
  });

  test('lead from a memory to what was said around it, and to its moment on the timeline', async () => {
    await service.call('POST', '/recall', 'cid', { query: 'Entry 604 of the log' });
    await open(`#agent=ann&memory=${idOf(604)}`);
    const related = (title: string) =>
      detail().locator('.detail-part', { has: page.getByRole('heading', { name: title }) });
    await related('Recalled by').getByText('cid').waitFor();
    await related('In the place of').getByText('Entry 603 of the log').waitFor();
    const around = related('Said around it in its session').locator('li');
    await around.first().waitFor();
    expect(await around.locator('[aria-current]').count()).toBe(0);
    expect(await around.allTextContents()).toHaveLength(8);
    await related('Said around it in its session').getByText('Entry 605 of the log').click();
    await detail().getByRole('link', { name: 'On the timeline' }).click();
    await page.locator('.lane-points circle').first().waitFor();
    expect(address().get('view')).toBe('timeline');
  });

  test('show twenty of many agents at first, and lead from a lane to what it said in its window', async () => {
    const many = await startRealService({ embedder: null });
    try {
      many.clock.advance(Date.now() - many.clock.now());
      const memories = Array.from({ length: 25 }, (_, place) => ({
        id: idOf(place),
        content: place === 0 ? 'הנמל סגור ביום שישי; see MAR-301.' : `Berth ${place} is free.`,
        agent_id: `agent-${place}`,
        created_at: daysAgo(place + 1),
        updated_at: daysAgo(place + 1),
      }));
      await many.call('POST', '/merge', 'bob', { memories });
      await open('#agent=ann', { at: many });
      const all = page.getByRole('button', { name: 'Show all 25 agents' });
      await all.waitFor();
      const rows = page.locator('.agent-table tbody tr');
      expect(await rows.count()).toBe(20);
      await all.click();
      expect(await rows.count()).toBe(25);

      await page.getByRole('link', { name: 'Timeline', exact: true }).click();
      await all.waitFor();
      const lanes = page.locator('.lane');
      expect(await lanes.count()).toBe(20);
      await all.click();
      expect(await lanes.count()).toBe(25);
      await page.getByRole('button', { name: 'Week', exact: true }).click();
      await page.waitForFunction(() => document.querySelectorAll('.lane').length < 20);
      const day = (text: string | null) =>
        new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date(text ?? ''));
      const window = address();
      await page.locator('.lane-name a', { hasText: /^agent-0$/ }).click();
      await page.locator('.memory').waitFor();
      expect(Object.fromEntries(address())).toMatchObject({
        by: 'agent-0',
        from: day(window.get('since')),
        to: day(window.get('until')),
      });
      // Hebrew begins at the right.
      const gist = page.locator('.memory-gist');
      const [left, right] = await gist.evaluate((link) => {
        const range = document.createRange();
        range.selectNodeContents(link);
        const { left: first, right: last } = range.getBoundingClientRect();
        return [first, last];
      });
      const box = (await gist.boundingBox()) as { x: number; width: number };
      expect(right).toBeCloseTo(box.x + box.width, 0);
      expect(left).toBeGreaterThan(box.x + 100);
    } finally {
      await page.goto('about:blank');
      await many.close();
    }
  });

  test.each([320, 1440])('show names of any script and length in their own direction, %d px wide', async (width) => {
    const own = await startRealService({ embedder: null });
    try {
      own.clock.advance(Date.now() - own.clock.now());
      const memories = [ARABIC_NAME, 'x'.repeat(128)].map((name, place) => ({
        id: idOf(place),
        content: `Berth ${place} is free.`,
        agent_id: name,
        session_id: name,
        project: name,
        name,
        tags: [name],
        created_at: daysAgo(place + 1),
        updated_at: daysAgo(place + 1),
      }));
      await own.call('POST', '/merge', 'bob', { memories });
      for (const [view, ready, least] of [
        ['', '.agent-table', 4],
        ['&view=timeline', '.said-place li', 3],
        ['&view=browse', '.memory', 4],
        ['&view=search&query=berth', '.why', 4],
        [`&memory=${idOf(0)}`, '#detail .facts', 9],
      ] as const) {
        if (watched?.page.isClosed() === false) await page.context().close();
        await open(`#agent=ann${view}`, { width, at: own });
        await visible(ready).waitFor();
        for (const summary of await page.locator('summary:visible').all())
          if (!(await page.locator('#detail[open]').count())) await summary.click();
        let names = await arabicNames(page);
        // Cards come one after the other.
        while (names.shown < least) names = await arabicNames(page);
        expect([view, names.wrong]).toEqual([view, []]);
        for (const type of await page.locator('#detail[open] .entity-type').all()) {
          const [name, kind] = await type.evaluate((element) => {
            const range = document.createRange();
            range.selectNodeContents(element.parentElement as Element);
            range.setEndBefore(element);
            return [range.getBoundingClientRect(), element.getBoundingClientRect()];
          });
          // Behind the name, or below a long one.
          expect(kind.left >= name.right || kind.top >= name.top + kind.height).toBe(true);
        }
        expect([view, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([view, width]);
      }
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('save the lanes as they are drawn, with their names', async () => {
    await open('#agent=bob&view=timeline');
    await page.locator('.lane-counts').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save picture' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('timeline.svg');
    const drawing = readFileSync(await saved.path(), 'utf8');
    // Each agent has a path of what holds in its own colour; the name that looks like HTML is text.
    expect(drawing.match(/<path class="held"[^>]* fill="rgb/g)).toHaveLength(await page.locator('.lane').count());
    expect(drawing).toMatch(/<text[^>]* font-size="13px"[^>]*>bob<\/text>/);
    expect(drawing).toContain('&lt;img src=x onerror=alert(1)&gt;</text>');
    expect(drawing).not.toContain('<img');
    expect(drawing).not.toContain('Save picture');
  });

  test('list what was held true at the end of a day', async () => {
    const day = daysAgo(10).slice(0, 10);
    await open(`#agent=bob&view=browse&held=${day}`);
    const midnight = await page.evaluate((text) => Date.parse(`${text}T24:00`), day);
    const isBefore = (at: string | undefined) => at !== undefined && Date.parse(at) < midnight;
    const held = QUARTER.filter((one) => isBefore(one.created_at) && !isBefore(one.supersession?.at));
    await page.getByText(`25 of ${held.length} memories`).waitFor();
    expect(await page.locator('#filter-held').inputValue()).toBe(day);
  });

  test('lead from how many were never recalled to the list of them', async () => {
    await service.call('POST', '/recall', 'cid', { query: 'Entry 1100 of the log', top_k: 5, strengthen: true });
    const { total } = (await service.call('GET', '/memories?recalled=false', 'cid')) as unknown as { total: number };
    const all = (await service.call('GET', '/memories', 'cid')) as unknown as { total: number };
    expect(total).toBeLessThan(all.total);
    await open('#agent=cid');
    await page
      .locator('.facts div', { has: page.getByText('Never recalled') })
      .getByRole('link')
      .click();
    await page
      .locator('#browse .card-note')
      .getByText(`25 of ${total.toLocaleString('en')} memories`)
      .waitFor();
    expect(await page.locator('#filter-recalled').inputValue()).toBe('never');
    await page.locator('#filter-recalled').selectOption('ever');
    await page
      .locator('#browse .card-note')
      .getByText(`of ${all.total - total} memor`)
      .waitFor();
  });

  test('lead from how much an agent learnt today to the list of it', async () => {
    const own = await startRealService({ embedder: null });
    own.clock.advance(Date.now() - own.clock.now());
    try {
      const lines = (...places: number[]) => places.map((place) => `- Step ${place} of the recipe.`).join('\n');
      await own.call('POST', '/merge', 'bob', { memories: [{ ...QUARTER[1], created_at: daysAgo(2) }] });
      for (const content of [lines(1, 2), 'The oven is warm.']) await own.call('POST', '/ingest', 'bob', { content });
      await own.call('POST', '/ingest', 'ann', { content: 'The cake is cold.' });
      await open('#agent=ann', { at: own });
      const row = page.locator('.agent-table tbody tr', { has: page.getByRole('link', { name: 'bob' }) });
      await row.waitFor();
      expect(await row.locator('td').allTextContents()).toEqual(['2', '3', '0', '0', expect.any(String)]);
      await row.locator('td').first().getByRole('link').click();
      await page.locator('#browse .card-note').getByText('2 of 2 memories').waitFor();
      // Each line of a memory stands by itself.
      const gist = page.locator('#browse .memory-gist', { hasText: 'Step 1' });
      const linesOf = (element: Element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        return new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      };
      expect(await gist.evaluate(linesOf)).toBe(2);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('list what was learnt today or in seven days, and from whom, and keep the choice in the address', async () => {
    const own = await startRealService({ embedder: null });
    own.clock.advance(Date.now() - own.clock.now());
    try {
      const said = (place: number, agent: string, days: number) => ({
        id: idOf(place),
        content: `Lesson ${place} of the week.`,
        agent_id: agent,
        created_at: daysAgo(days),
        updated_at: daysAgo(days),
      });
      const week = Array.from({ length: 8 }, (_, place) => said(place, place < 5 ? 'bob' : 'cid', 3));
      await own.call('POST', '/merge', 'bob', { memories: [...week, said(20, 'dan', 9)] });
      await own.call('POST', '/ingest', 'ann', { content: 'The cake is cold.' });
      await open('#agent=ann', { at: own });
      const card = () => page.getByRole('region', { name: /^Learnt/ });
      await card().getByText('1 memory').waitFor();
      await page.getByRole('button', { name: '7 days' }).click();
      await card().getByText('9 memories').waitFor();
      expect(address().get('learnt')).toBe('week');
      // The newest six, and who said how many of all.
      expect(await card().locator('.short-list li').count()).toBe(6);
      expect(await card().locator('.teachers li').allTextContents()).toEqual(['bob5', 'cid3', 'ann1']);
      expect(await tile('Learnt today').textContent()).toBe('1');
      expect(await axeFaultsInBothSchemes(page)).toEqual([]);
      await page.reload();
      await card().getByText('9 memories').waitFor();
      await card().getByRole('link', { name: 'cid' }).click();
      await page.locator('#browse .card-note').getByText('3 of 3 memories').waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Today', exact: true }).click();
      await card().getByText('1 memory').waitFor();
      expect(address().get('learnt')).toBeNull();
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('tell what is coming up, each memory once, as soon as it is said', async () => {
    const own = await startRealService({ embedder: null });
    own.clock.advance(Date.now() - own.clock.now());
    try {
      const said = (content: string, more: object = {}) => own.call('POST', '/ingest', 'bob', { content, ...more });
      await said('The cake is cold.');
      await open('#agent=ann', { at: own });
      await page.locator('.agent-table').waitFor();
      const card = page.getByRole('region', { name: 'Coming up' });
      expect(await card.count()).toBe(0);
      // Days of the reader, who may be in another one than UTC.
      const day = (later: number) =>
        page.evaluate((days) => {
          const date = new Date();
          date.setDate(date.getDate() + days);
          return date.toLocaleDateString('sv-SE');
        }, later);
      await said(`Bob is away from ${await day(0)} to ${await day(2)}.`);
      await card.getByText('Bob is away').waitFor();
      for (const place of [1, 2, 3, 4, 5]) await said(`Talk ${place} is on ${await day(1)}.`);
      await said(`A week of talks, in another town. ${HOSTILE} Minutes:\n- ${await day(6)}: closing`);
      await said(`My review is on ${await day(1)}.`, { scope: 'PRIVATE' });
      await said(`The fair is on ${await day(7)}.`);
      await said(`The lease ends on ${await day(6)}.`, { timestamp: '2023-11-28T12:00:00Z' });
      await card.getByText('closing').waitFor();
      await card.getByText('told 28 Nov 2023').waitFor();
      const parts = card.locator('.coming-days > div');
      expect(await parts.locator('h3').allTextContents()).toMatchObject([
        expect.stringMatching(/^Today \w{3} \d/),
        expect.stringMatching(/^Tomorrow \w{3} \d/),
        expect.stringMatching(/^\w{3} \d+ \w{3}$/),
      ]);
      expect(
        await parts
          .nth(0)
          .getByText(/^until \w{3} \d/)
          .count(),
      ).toBe(1);
      expect(await parts.nth(1).locator('li').count()).toBe(3);
      expect(await parts.nth(2).getByRole('link').first().textContent()).toBe(
        `A week of talks, in another town. … - ${await day(6)}: closing`,
      );
      expect(await card.getByText(/review|fair/).count()).toBe(0);
      expect(await axeFaultsInBothSchemes(page)).toEqual([]);
      await page.setViewportSize({ width: 375, height: 800 });
      expect(await axeFaultsInBothSchemes(page)).toEqual([]);
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(widths[0]).toBe(widths[1]);
      await parts.nth(0).getByRole('link').focus();
      await page.keyboard.press('Enter');
      await detail().getByText('Bob is away').first().waitFor();
      await page.goBack();
      // All that the agenda has of a day, in its place: not what a recall holds against a question about it.
      await card.getByRole('button', { name: 'Show all 5: Tomorrow' }).click();
      await parts.nth(1).locator('li').nth(4).waitFor();
      for (let place = 6; place <= 21; place++) await said(`Talk ${place} is on ${await day(1)}.`);
      await parts.nth(1).locator('li').nth(20).waitFor();
      await card.getByRole('button', { name: 'Show the first 3: Tomorrow' }).click();
      expect(await parts.nth(1).locator('li').count()).toBe(3);
      await card.getByRole('button', { name: 'Show all 21: Tomorrow' }).waitFor();
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('keep the choice of days where an older answer comes late', async () => {
    await open('#agent=bob');
    const heading = page.getByRole('heading', { name: /^Learnt/ });
    await heading.waitFor();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let asked = 0;
    await page.route('**/memories/summary', async (route) => {
      asked += 1;
      if (asked === 1) await isAnswered;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('heading', { name: 'Learnt in 7 days' }).waitFor();
    answer();
    // The last that the older one asks for.
    const last = await page.waitForResponse(
      (response) => response.url().includes('/memories/timeline') && !response.url().endsWith('buckets=1'),
    );
    await last.finished();
    // Drawn by now, if it is drawn at all.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await heading.textContent()).toBe('Learnt in 7 days');
  });

  test('say in its words what came in the place of a memory, before all else that is known of it', async () => {
    await open(`#agent=ann&memory=${idOf(603)}`);
    const part = page.locator('.detail-part', { has: page.getByRole('heading', { name: 'Superseded by' }) });
    await part.getByRole('link', { name: 'Entry 604 of the log' }).waitFor();
    await part.getByText('said anew').waitFor();
    const topOf = async (of: typeof part) => (await of.boundingBox())?.y ?? Number.NaN;
    expect(await topOf(part)).toBeLessThan(await topOf(detail().locator('.facts')));
    await part.getByRole('link').click();
    await detail().locator('.said').getByText('Entry 604 of the log').waitFor();
  });

  test('begin at their top, and stand where they stood when the reader comes back', async () => {
    await open('#agent=ann', { width: 375 });
    const link = page.locator('.agent-table a').first();
    await link.scrollIntoViewIfNeeded();
    const stood = await page.evaluate(() => scrollY);
    expect(stood).toBeGreaterThan(500);
    await link.click();
    await page.locator('#browse .memory').first().waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.evaluate(() => scrollTo(0, 300));
    await page.locator('#browse .memory-gist').nth(3).click();
    await detail().locator('.facts').waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(300);
    await page.goBack();
    await page.goBack();
    await page.waitForFunction((at) => Math.abs(scrollY - at) < 50, stood);
  });

  test('go on by meaning where the words of a phrase are not the very words', async () => {
    const day = daysAgo(10).slice(0, 10);
    await open(`#agent=bob&view=browse&q=log+of+entries&from=${day}&recalled=never`);
    await page.getByText('No memory fits these filters.').waitFor();
    await page.getByRole('link', { name: 'Search by meaning' }).click();
    await page.locator('#search .memory').first().waitFor();
    expect([address().get('query'), address().get('from')]).toEqual(['log of entries', day]);
    expect(await page.locator('#query').inputValue()).toBe('log of entries');
  });

  test('have their choices in one line on a phone, no half date on the axis, and no dot at the end of a line', async () => {
    await open('#view=contradictions', { width: 375 });
    const choice = page.locator('#contradictions .segmented');
    await choice.waitFor();
    expect((await choice.boundingBox())?.height).toBeLessThan(40);
    await page.goto(`${service.url}/dashboard#view=timeline`);
    await page.locator('.time-marks li').first().waitFor();
    const isCut = await page.locator('.time-marks li').evaluateAll((marks: HTMLElement[]) =>
      marks.map((mark) => {
        const isShown = getComputedStyle(mark).visibility === 'visible';
        return isShown && mark.offsetLeft + mark.offsetWidth > (mark.parentElement as HTMLElement).clientWidth;
      }),
    );
    expect(isCut).not.toContain(true);
    await page.goto(`${service.url}/dashboard#view=browse`);
    const origin = page.locator('.origin:visible').first();
    await origin.waitFor();
    expect(
      await origin.evaluate((line) => [...line.children].map((part) => getComputedStyle(part, '::after').content)),
    ).not.toContain('"·"');
  });

  test.each([375, 1440])('name each view and have room for their fields, %d px wide', async (width) => {
    await open('#agent=bob&view=health', { width });
    await page.locator('#views [aria-current]').getByText('Health').waitFor();
    // The number of contradictions comes later and makes the row longer.
    await page.route('**/contradictions', (route) =>
      route.fulfill({ json: { contradictions: [], total: 1_234, compared: 0, pending: 0, threshold: 0.6 } }),
    );
    await page.reload();
    await page.locator('#views').getByText('(1234)').waitFor();
    await tile('Up for').waitFor();
    const isWithin = (element: Element) => element.scrollWidth <= element.clientWidth;
    for (const value of await page.locator('#health .tile dd').all())
      expect([await value.textContent(), await value.evaluate(isWithin)]).toEqual([expect.any(String), true]);
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN };
    };
    const views = await boxOf('#views');
    const current = await boxOf('#views [aria-current]');
    expect(current.x).toBeGreaterThanOrEqual(views.x);
    expect(current.x + current.width).toBeLessThanOrEqual(views.x + views.width + 1);
    // "default" is legible in each.
    for (const field of ['#space-field', '#reader-agent']) expect((await boxOf(field)).width).toBeGreaterThan(92);
  });

  test('say why a memory is not among those recalled', async () => {
    await service.call('POST', '/ingest', 'dan', {
      content: 'The ferry to Marrow Island leaves at nine.',
      source: 'user',
    });
    await service.call('POST', '/ingest', 'dan', {
      content: 'A scan says the ferry to Marrow Island leaves at ten.',
      source: 'tool',
    });
    const { memories } = (await service.call('GET', '/memories?q=scan', 'dan')) as unknown as {
      memories: [{ id: string }];
    };
    await open(`#agent=dan&view=search&query=${encodeURIComponent('When does the ferry leave?')}&trust=user`);
    await page.locator('.why-sentence').first().waitFor();
    await page.locator('#why-not-id').fill(memories[0].id);
    await page.keyboard.press('Enter');
    await page.getByText('The request leaves it out: it does not meet min_trust.').waitFor();
    // The same from the memory itself, where its id need not be known.
    await page.goto(`${service.url}/dashboard#agent=dan&view=browse&q=scan`);
    await page.locator('#browse .memory-gist').getByText('A scan says').click();
    await detail().getByRole('button', { name: 'Why not recalled …' }).click();
    await page.locator('#absence-question').fill('When does the ferry leave?');
    await page.keyboard.press('Enter');
    await detail()
      .getByRole('status')
      .getByText(/^It is recalled, in place \d/)
      .waitFor();
    expect(await axeFaultsInBothSchemes(page)).toEqual([]);
    await detail().getByRole('button', { name: 'Back' }).click();
    await detail().getByRole('button', { name: 'Edit' }).waitFor();
    await page.goto(`${service.url}/dashboard#agent=dan&view=search&query=When+does+the+ferry+leave%3F&trust=user`);
    await page.locator('.why-sentence').first().waitFor();
    await page.getByText('More conditions').click();
    await page.locator('#recall-tokens').selectOption('100');
    await page.waitForFunction(() => location.hash.includes('tokens=100'));
    await page.reload();
    await page.locator('.context').getByText('Marrow Island').waitFor();
    expect(await page.locator('#recall-tokens').inputValue()).toBe('100');
  });

  test('show what a consolidation would do, do it, and take it back', async () => {
    const own = await startRealService({ embedder: null });
    try {
      for (const part of ['pump', 'valve', 'gauge']) {
        const content = `The Nightshade turbine has a leaking turbine ${part} at the Nightshade turbine hall.`;
        await own.call('POST', '/ingest', 'ann', { content });
      }
      await open('#agent=ann&view=consolidation', { at: own });
      await page.getByText('None has run yet. A dry run').waitFor();
      await page.getByRole('button', { name: 'Try a dry run' }).click();
      await page.locator('.before-after .after').getByText('new').waitFor();
      const foreseen = await page.locator('.before-after .after').textContent();
      const sources = page.locator('.before-after .before li');
      expect(await sources.count()).toBe(2);
      await page.getByRole('button', { name: 'Show all 3 sources' }).click();
      await sources.nth(2).waitFor();
      const fold = page.getByRole('button', { name: 'Show the first 2 sources' });
      expect(await fold.evaluate((button) => button === document.activeElement)).toBe(true);
      await fold.click();
      await sources.nth(2).waitFor({ state: 'detached' });
      expect((await own.call('GET', '/stats', 'ann')).totals).toMatchObject({ semantic: 0 });
      // The focus stays where it was, and where that is gone it is at the heading.
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
      expect(await focused()).toBe('Show all 3 sources');
      await page.getByRole('button', { name: 'Try a dry run' }).focus();
      await Promise.all([page.waitForResponse('**/pruned*'), page.keyboard.press('Enter')]);
      await page.locator('#consolidation [aria-disabled="false"]', { hasText: 'Try a dry run' }).waitFor();
      expect(await focused()).toBe('Try a dry run');
      await page.getByRole('button', { name: 'Back to the last run' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('h2:focus', { hasText: 'What the last run did' }).waitFor();
      await page.getByRole('button', { name: 'Consolidate now …' }).click();
      await page.getByRole('button', { name: 'Consolidate', exact: true }).click();
      await page.locator('.before-after .after').getByRole('link', { name: 'Look at it' }).waitFor();
      const made = await page.locator('.before-after .after p').textContent();
      expect(foreseen?.replace('new', '').trim()).toBe(made?.trim());
      // A large run takes seconds.
      let answer = () => {};
      const mayAnswer = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/undo', async (route) => {
        await mayAnswer;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Undo …' }).click();
      await page.getByRole('button', { name: 'Undo the run' }).click();
      await page.getByRole('button', { name: 'Being undone …' }).press('Enter');
      expect(await page.locator('dialog.confirm').count()).toBe(0);
      answer();
      await page.locator('.before-after').waitFor({ state: 'detached' });
      expect((await own.call('GET', '/stats', 'ann')).totals).toMatchObject({ semantic: 0 });
      const last = page.getByRole('region', { name: 'Last consolidation' });
      await last.getByText('The run was undone').waitFor();
      // Known to others too, and after a reload.
      for (const fragment of ['#agent=ann&view=consolidation', '#agent=bob']) {
        await page.context().close();
        await open(fragment, { at: own });
        await page.getByRole('region', { name: 'Last consolidation' }).getByText('The run was undone').waitFor();
        expect(await page.getByRole('button', { name: 'Undo …' }).count()).toBe(0);
      }
    } finally {
      // The stream ends before its service does.
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('blame nobody where somebody else has undone the run before', async () => {
    const own = await startRealService({ embedder: null });
    try {
      for (const session_id of ['s1', 's2'])
        await own.call('POST', '/ingest', 'ann', { content: 'The lower basin is heated.', session_id });
      const { report } = (await own.call('POST', '/consolidate', 'ann', {})) as unknown as {
        report: { run_id: string; deduplicated: number };
      };
      expect(report.deduplicated).toBe(1);
      await open('#agent=ann&view=consolidation', { at: own });
      await page.getByRole('button', { name: 'Undo …' }).click();
      await own.call('POST', `/consolidate/${report.run_id}/undo`, 'bob', {});
      await page.getByRole('button', { name: 'Undo the run' }).click();
      await page.getByText('Nothing of it was left to take back.').waitFor({ state: 'attached' });
      const last = page.getByRole('region', { name: 'Last consolidation' });
      await last.getByText('The run was undone, but for what others had changed before').waitFor();
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test.each([375, 1440])('show the parts of a consolidation, and take back one of them, %d px wide', async (width) => {
    const own = await startRealService({ embedder: null });
    const say = (agent: string, content: string, more: object = {}) =>
      own.call('POST', '/ingest', agent, { content, ...more });
    const totals = async () =>
      (await own.call('GET', '/stats', 'ann')).totals as unknown as {
        episodic: number;
        semantic: number;
        total: number;
      };
    try {
      for (const part of ['pump', 'valve', 'gauge'])
        await say('ann', `The Nightshade turbine has a leaking turbine ${part} at the Nightshade turbine hall.`);
      for (let place = 1; place <= 7; place += 1) {
        await say('ann', `Basin ${place} of the Alder pool is heated.`, { session_id: 's1' });
        await say('bob', `basin ${place} of the Alder pool is heated`, { session_id: 's2' });
      }
      await own.call('POST', '/consolidate', 'ann', {});
      const before = await totals();
      await open('#agent=ann&view=consolidation', { at: own, width });
      const madeOne = page.locator('.before-after').last();
      await madeOne.getByRole('listitem').first().waitFor();
      // What is gone is shown in its words, with who said it.
      await madeOne.locator('.before').first().getByText('of the Alder pool is heated').waitFor();
      await madeOne.locator('.before').first().getByText('bob').waitFor();
      expect(await madeOne.locator('.after').count()).toBe(5);
      await page.getByRole('button', { name: 'More: 2 are left' }).press('Enter');
      await madeOne.locator('.after').nth(6).waitFor();
      await madeOne.locator(':scope > li:focus').waitFor();
      expect(
        await madeOne
          .locator(':scope > li')
          .nth(5)
          .evaluate((one) => one === document.activeElement),
      ).toBe(true);
      expect(await axeFaultsInBothSchemes(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      // No paragraph is a line of underlined words, and what was derived is no longer than its first lines.
      const underlined = page.locator('.before-after a:not(.button)');
      const decorations = await underlined.evaluateAll((links) =>
        links.map((one) => getComputedStyle(one).textDecorationLine),
      );
      expect(new Set(decorations)).toEqual(new Set(['none']));
      const folded = page.locator('.after[data-folded] p').first();
      const lines = () =>
        folded.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight));
      expect(await lines()).toBeLessThan(4.5);
      await madeOne.getByRole('button', { name: 'Undo this' }).first().click();
      await madeOne.getByText('separate again').waitFor();
      expect(await madeOne.getByRole('button', { name: 'Undo this' }).count()).toBe(6);
      await madeOne.locator('li:focus', { hasText: 'separate again' }).waitFor();
      expect(await totals()).toEqual({ ...before, episodic: before.episodic + 1, total: before.total + 1 });
      const derived = page.locator('.before-after').first().locator(':scope > li');
      const count = await derived.count();
      const doneLine = page.locator('.done-line');
      await doneLine.getByText(/, 1 undone\.$/).waitFor();
      expect(await doneLine.textContent()).toContain(`${count} memories derived, 6 memories made one`);
      const taken = (await derived.first().locator('.after p').textContent())?.trim() ?? '';
      await derived.first().getByRole('button', { name: 'Undo this' }).click();
      await derived.first().getByText('The derived memory is gone; its sources stay.').waitFor();
      // It stays in its place, and what is counted above is what is left.
      expect(await derived.count()).toBe(count);
      expect((await derived.first().locator('del').textContent())?.trim()).toBe(taken);
      await doneLine.getByText(/, 2 undone\.$/).waitFor();
      await page.getByRole('region', { name: 'Last consolidation' }).getByText('2 undone').waitFor();
      expect(await axeFaultsInBothSchemes(page)).toEqual([]);
      expect(await totals()).toMatchObject({ semantic: before.semantic - 1 });
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('take one after the other out of the archive, and say what was not taken back of a run', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'memory-dashboard-'));
    const own = await startRealService({ embedder: null, dataDir });
    try {
      own.clock.advance(Date.now() - own.clock.now());
      const old = (place: number) => new Date(Date.now() - 400 * DAY_MS + place * 1000).toISOString();
      const memories = Array.from({ length: 25 }, (_, place) => ({
        id: idOf(place),
        content: `Ticket T-${place} is done.`,
        agent_id: 'ann',
        importance: 0,
        created_at: old(place),
        updated_at: old(place),
      }));
      await own.call('POST', '/merge', 'ann', { memories });
      await own.call('POST', '/consolidate', 'ann', { keep_per_agent: 0, cluster: false, deduplicate: false });
      await open('#agent=ann&view=consolidation', { at: own });
      const archive = page.getByRole('region', { name: 'Archive' });
      await archive.getByText('25 memories').waitFor();
      await archive.getByRole('button', { name: 'More' }).press('Enter');
      await archive.locator('li').nth(24).waitFor();
      const focused = () => page.locator(':focus').textContent();
      expect(await focused()).toBe(await archive.locator('.memory-gist').nth(20).textContent());
      // What was read stays, and so does the place where the reader is.
      const restore = archive.getByRole('button', { name: /^Restore/ });
      await restore.nth(22).press('Enter');
      await archive.getByText('24 memories').waitFor();
      expect(await restore.count()).toBe(24);
      await restore.nth(23).press('Enter');
      await archive.getByText('23 memories').waitFor();
      expect(await focused()).toBe('Archive');
      // What is put away is not deleted.
      await archive.locator('.memory-gist').first().click();
      await detail().getByText('In the archive.').waitFor();
      await page.keyboard.press('Escape');
      await detail().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo …' }).click();
      await page.getByRole('button', { name: 'Undo the run' }).click();
      const last = page.getByRole('region', { name: 'Last consolidation' });
      await last.getByText('The run was undone, but for 2 memories that others have changed since').waitFor();
      expect(await last.getByRole('button', { name: 'Undo …' }).count()).toBe(0);
      await archive.getByText('0 memories').waitFor();
      // A memory that is in no answer is a 404 in the console.
      watched.faults.length = 0;
    } finally {
      await page.goto('about:blank');
      await own.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test('leave no half of the search empty before something is asked', async () => {
    await open('#agent=ann&view=search');
    const widthOf = async (selector: string) => (await visible(selector).boundingBox())?.width ?? 0;
    await visible('.search-grid .card').waitFor();
    expect(await widthOf('.search-grid .card')).toBe(await widthOf('.search-grid'));
    await page.locator('#query').fill('ferry');
    await page.keyboard.press('Enter');
    await page.locator('.beside-results').waitFor();
    expect(await widthOf('.search-grid .card')).toBeLessThan((await widthOf('.search-grid')) * 0.7);
  });

  test('show how the service does', async () => {
    await service.call('POST', '/ingest', 'ann', { content: 'The bread is in the oven.' });
    await open('#agent=ann&view=health');
    await tile('Ingests').waitFor();
    await tile('Duplicates met').waitFor();
    await page.locator('.tiles + p').getByText('in all spaces').waitFor();
    await page.locator('.facts').getByText('succeed', { exact: true }).waitFor();
    await page.getByRole('row', { name: /journal/ }).waitFor();
    await page.setViewportSize({ width: 375, height: 900 });
    const hidden = (box: Element) => box.scrollWidth - box.clientWidth;
    expect(await page.getByRole('region', { name: 'Stages' }).evaluate(hidden)).toBe(0);
  });

  test('keep points and sessions off the names while the lanes are moved', async () => {
    await open(`#agent=ann&view=timeline&since=${daysAgo(9.8)}&until=${daysAgo(9.2)}`);
    await page.locator('circle').first().waitFor();
    // The next answer, which has no point outside of its window, does not come.
    await page.route('**/memories/timeline*', () => undefined);
    await page.getByRole('group', { name: 'Lanes of agents' }).focus();
    await page.keyboard.press('ArrowRight');
    const covered = () =>
      page.locator('.lane-points :is(circle, line)').evaluateAll((drawn) => {
        const names = document.querySelector('.lane-name')?.getBoundingClientRect() ?? new DOMRect();
        const boxes = drawn.map((one) => one.getBoundingClientRect());
        const beyond = boxes.filter(({ left }) => left < names.right - 20);
        const hits = beyond.map(({ left, top, height }) =>
          document.elementFromPoint(Math.max(names.left, left) + 3, top + height / 2),
        );
        return { beyond: beyond.length, hits: hits.filter((one) => one?.closest('.lane-points')).length };
      });
    await page.waitForFunction(() => {
      const lane = document.querySelector('.lane-points')?.getBoundingClientRect().left ?? 0;
      return [...document.querySelectorAll('circle')].some((one) => one.getBoundingClientRect().left < lane - 60);
    });
    const { beyond, hits } = await covered();
    expect(beyond).toBeGreaterThan(0);
    expect(hits).toBe(0);
  });

  test('have room for an agent of any name on a phone', async () => {
    await open(`#agent=${'a'.repeat(128)}`, { width: 375 });
    await page.locator('.agent-table').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  });

  test('leave no hole in the overview of a store with one memory', async () => {
    const own = await startRealService();
    try {
      await own.call('POST', '/ingest', 'ann', { content: 'The release is on Friday at noon.' });
      await open('#agent=ann', { at: own });
      await page
        .getByRole('region', { name: 'Last consolidation' })
        .getByRole('link', { name: 'Try a dry run' })
        .waitFor();
      const boxOf = async (selector: string) => {
        const box = await page.locator(selector).boundingBox();
        return { right: (box?.x ?? 0) + (box?.width ?? 0), bottom: (box?.y ?? 0) + (box?.height ?? 0) };
      };
      const [agents, service] = [await boxOf('.card:has(.agent-table)'), await boxOf('.overview-service')];
      expect(agents.bottom).toBeCloseTo(service.bottom, 0);
      expect(agents.right).toBeLessThan(service.right);
      expect(await page.locator('.overview-thirds > *').count()).toBe(4);
      // There is no half of a memory.
      expect(await page.locator('.chart-top, .chart-middle').allTextContents()).toEqual(['1', '']);
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  const VIEWS: [string, string][] = [
    ['', '.agent-table'],
    ['&view=timeline', '.lane-counts'],
    ['&view=timeline&since=2026-01-01', '.lane-counts'],
    ['&view=browse', '.memory'],
    ['&view=search&query=ferry', '.why'],
    ['&view=contradictions', '.empty'],
    ['&view=consolidation', '.empty'],
    ['&view=health', '.chart-columns'],
    [`&memory=${idOf(604)}`, '#detail .related'],
  ];
  test("tell series and choices apart in the reader's own colours", async () => {
    await open('#agent=dan');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('.chart-legend .swatch').nth(1).waitFor();
    const backgrounds = async (selector: string) =>
      new Set(
        await page
          .locator(selector)
          .evaluateAll((all) => all.map((element) => getComputedStyle(element).backgroundColor)),
      );
    expect((await backgrounds('.chart-legend .swatch')).size).toBe(await page.locator('.chart-legend .swatch').count());
    expect((await backgrounds('.segmented[aria-label="Colours by"] button')).size).toBe(2);
  });

  test('need no scrolling to the side where a page of 1280 px is shown four times as large', async () => {
    await open('#agent=dan', { width: 320 });
    for (const [view, ready] of VIEWS) {
      await page.goto('about:blank');
      await page.goto(`${service.url}/dashboard#agent=dan${view}`);
      await visible(ready).waitFor();
      expect([view, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([view, 320]);
    }
  });

  test.each([375, 1440])(
    'are accessible and hold still, %d px wide, in the light and the dark scheme',
    async (width) => {
      await open('#agent=dan', { width });
      for (const [view, ready] of VIEWS) {
        await page.goto('about:blank');
        await page.goto(`${service.url}/dashboard#agent=dan${view}`);
        await visible(ready).waitFor();
        expect([view, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([view, width]);
        expect([view, await axeFaultsInBothSchemes(page)]).toEqual([view, []]);
        expect([view, (await layoutShift(page)) < 0.1]).toEqual([view, true]);
      }
    },
  );
});
