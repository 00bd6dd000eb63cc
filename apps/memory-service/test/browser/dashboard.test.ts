/// <reference lib="dom" />
import {
  axeFaults,
  type Browser,
  chromiumPath,
  launchChromium,
  loadedAssets,
  openWatchedPage,
  type WatchedPage,
} from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeFastEmbedder } from '../start-service.ts';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = chromiumPath({ mayBeShell: true });
const HOSTILE = '<img src=x onerror=alert(1)>';
const SECRET = 'The spare key lies under the blue flower pot.';
const LONG =
  `The review is done. ${'The radius is compared in metres, and the index on the position is used. '.repeat(12)}`.trim();
/** More than two pages of 50. */
const NOTES = 120;

const FACTS = [
  { content: 'Dana wants one digest a day at 18:00, never a mail for every listing.', name: 'Dana', role: 'user' },
  { content: 'The database runs on PostgreSQL 15 in Frankfurt.', tags: ['database'], metadata: { ticket: 118 } },
  { content: LONG, tags: ['review', HOSTILE] },
  { content: HOSTILE },
];

(executablePath === null ? describe.skip : describe)('dashboard', () => {
  let browser: Browser;
  let service: RealService;
  let watched: WatchedPage;
  let page: WatchedPage['page'];
  /** A refused request is an error in the browser's console; tests that provoke one allow that. */
  let mayFail = false;

  async function open(fragment = '', { width = 1440, at = service, query = '' } = {}): Promise<void> {
    watched = await openWatchedPage(browser, { width });
    page = watched.page;
    await page.goto(`${at.url}/dashboard${query}${fragment}`);
  }

  const address = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
  const items = () => page.locator('section:not([hidden]) .memory');
  const visible = (selector: string) => page.locator(`${selector}:visible`).first();
  const item = (text: string) => items().filter({ hasText: text });
  const gists = () => items().locator('.memory-gist').allTextContents();
  const count = (text: string) => page.locator('#browse .card-note').getByText(text, { exact: true }).waitFor();
  const detail = () => page.locator('#detail[open]');
  const fact = (term: string) => detail().locator('.facts div', { has: page.getByText(term, { exact: true }) });
  const agentRow = (name: string) => page.locator('.agent-table tbody tr', { hasText: name });
  const firstId = async (query: string): Promise<string> => {
    const { memories } = await service.call('GET', `/memories?${query}`, 'ann');
    return (memories as unknown as [{ id: string }])[0].id;
  };
  const idOf = (content: string) => firstId(`q=${encodeURIComponent(content.slice(0, 40))}`);

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string);
    service = await startRealService();
    for (let i = 0; i < NOTES; i += 1) {
      service.clock.advance(1000);
      await service.call('POST', '/ingest', 'bob', { content: `note ${i} of the long list`, session_id: 'list' });
    }
    for (const fact of FACTS) {
      service.clock.advance(86_400_000);
      await service.call('POST', '/ingest', 'ann', { session_id: 'talk', ...fact });
    }
    await service.call('POST', '/ingest', 'ann', { content: SECRET, scope: 'PRIVATE', session_id: 'talk' });
  });

  afterEach(async () => {
    await page.context().close();
    if (!mayFail) expect(watched.faults).toEqual([]);
    mayFail = false;
    const foreign = watched.requests
      .map((request) => request.url())
      .filter((url) => !/^(http:\/\/127|data:)/.test(url));
    expect(foreign).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await closeFastEmbedder();
  });

  test('counts what the agent that looks may see, and shows the state of the service', async () => {
    await open('#agent=ann');
    await agentRow('ann').waitFor();
    expect(await agentRow('ann').locator('td').allTextContents()).toEqual(expect.arrayContaining(['5', '5', '0', '1']));
    await agentRow('bob').getByText('120').first().waitFor();
    await page.locator('.facts').getByText('240 dimensions').waitFor();
    await page.locator('.facts').getByText('none: nothing outlives a restart').waitFor();
    await page.locator('#reader-agent').fill('bob');
    await page.keyboard.press('Enter');
    await page.getByText('as bob sees them').waitFor();
    await agentRow('ann').locator('td').getByText('4', { exact: true }).first().waitFor();
    expect(await agentRow('ann').locator('td').allTextContents()).toEqual(expect.arrayContaining(['4', '4', '0', '0']));
    expect(address().get('agent')).toBe('bob');
  });

  test('is one script and one style sheet, which are named after what is in them', async () => {
    await open();
    await visible('.tile').waitFor();
    expect(await loadedAssets(page)).toEqual(['/dashboard/assets/main-HASH.css', '/dashboard/assets/main-HASH.js']);
  });

  test('asks for all of the overview at once, once it knows the time', async () => {
    await open('#agent=uma');
    await visible('.tile').waitFor();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/health', async (route) => {
      await isAnswered;
      await route.continue();
    });
    const asked = page.waitForRequest('**/memories/summary');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await asked;
    const answered = page.waitForResponse('**/health');
    answer();
    await answered;
  });

  test('leads from a figure of the overview to the memories that it counts', async () => {
    await open('#agent=ann');
    const figure = (label: string) => page.getByRole('link', { name: new RegExp(`^[\\d,]+, ${label}$`) });
    await figure('Learnt today').click();
    expect(address().get('from')).toMatch(/^\d{4}-\d\d-\d\d$/);
    await page.goBack();
    const all = await figure('Memories').textContent();
    await figure('Memories').click();
    await page.locator('#browse .card-note').getByText(` of ${all} memories`).waitFor();
  });

  test('shows the space that its address names, and keeps it there', async () => {
    const said = 'The other team has a kettle of its own.';
    await service.call('POST', '/ingest?space=team-b', 'ann', { content: said });
    await open('#agent=ann&view=browse', { query: '?space=team-b' });
    await item(said).waitFor();
    expect(await items().count()).toBe(1);
    await page.locator('#reader-agent').fill('bob');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('agent=bob'));
    await item(said).waitFor();
    await page.locator('#live[data-state="live"]').waitFor();
    expect(new URL(page.url()).search).toBe('?space=team-b');
    const streams = watched.requests.filter((request) => new URL(request.url()).pathname === '/events/stream');
    expect(streams.map((request) => new URL(request.url()).searchParams.get('space'))).toContain('team-b');
    expect(await page.getByLabel('Space').inputValue()).toBe('team-b');
  });

  test('leads to another space and back to the default one', async () => {
    const said = 'A third team keeps its own kettle.';
    await service.call('POST', '/ingest?space=team-c', 'ann', { content: said });
    await open('#agent=ann&view=browse');
    await item('Dana wants').waitFor();
    await page.getByLabel('Space').fill('team-c');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard?space=team-c');
    await page.getByRole('link', { name: 'Browse' }).click();
    await item(said).waitFor();
    await page.getByLabel('Space').fill('Team C!');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Space').evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(
      true,
    );
    expect(new URL(page.url()).search).toBe('?space=team-c');
    await page.getByLabel('Space').fill('');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');
  });

  test('asks everything in the name of the agent that looks', async () => {
    await open('#agent=J%C3%BCrgen&view=browse&by=ann');
    await count('4 of 4 memories');
    const asked = watched.requests.filter((request) => /^\/(memories|stats)$/.test(new URL(request.url()).pathname));
    expect(asked.length).toBeGreaterThan(1);
    for (const request of asked) {
      // The bytes of UTF-8, as a header carries them.
      expect(Buffer.from((await request.headerValue('x-agent-id')) ?? '', 'latin1').toString()).toBe('Jürgen');
    }
  });

  test("without an agent it looks as the server's default, even at one agent's memories", async () => {
    await open('#view=browse&by=ann');
    await count('4 of 4 memories');
    expect(await item(SECRET).count()).toBe(0);
    await page.locator('#reader-agent[placeholder="default"]').waitFor();
    const named = await Promise.all(watched.requests.map((request) => request.headerValue('x-agent-id')));
    const unnamed = watched.requests.filter((request, at) => named[at] === null && request.url().endsWith('/stats'));
    expect(unnamed.length).toBe(1);
  });

  test('lists newest first and loads on until all are there, none twice, with few of them in the page', async () => {
    await open('#agent=ann&view=browse&by=bob');
    await count('50 of 120 memories');
    expect(await gists()).toEqual(Array.from({ length: 50 }, (_, i) => `note ${NOTES - 1 - i} of the long list`));
    // Without scrolling there: near its end the list loads on by itself.
    await page
      .getByRole('button', { name: 'More', exact: true })
      .evaluate((button: HTMLElement) => button.focus({ preventScroll: true }));
    await page.keyboard.press('Enter');
    await count('75 of 120 memories');
    expect(await page.locator(':focus').textContent()).toBe('note 69 of the long list');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await count('120 of 120 memories');
    expect(await page.getByRole('button', { name: 'More', exact: true }).count()).toBe(0);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await item('note 100 of').waitFor({ state: 'detached' });
    const seen = await gists();
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.at(-1)).toBe('note 0 of the long list');
    await page.evaluate(() => scrollTo(0, 0));
    await item('note 119 of').waitFor();
  });

  test('lists a few screens on a phone, and goes on from there', async () => {
    await open('#agent=ann&view=browse&by=bob', { width: 375 });
    await count('25 of 120 memories');
    const screens = () => page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
    expect(await screens()).toBeLessThan(4);
    await page.mouse.wheel(0, 900);
    await count('50 of 120 memories');
    expect(await screens()).toBeLessThan(7);
  });

  test.each([
    ['browse', '#filter-q', 1_000],
    ['browse', '#filter-by', 128],
    ['browse', '#filter-session', 128],
    ['browse', '#filter-tag', 128],
    ['search', '#recall-by', 128],
    ['search', '#recall-tag', 128],
  ])('takes no longer filter than the service: %s %s', async (view, field, most) => {
    await open(`#agent=ann&view=${view}`);
    if (view === 'search') await page.getByText('More conditions').click();
    await page.locator(field).focus();
    await page.keyboard.insertText('x'.repeat(1_200));
    expect(await page.locator(field).inputValue()).toHaveLength(most);
  });

  test('filters by text, tag and scope, and keeps the filters in the address', async () => {
    await open('#agent=ann&view=browse');
    await count('50 of 125 memories');
    await page.locator('#filter-q').fill('NOTE 11');
    await count('11 of 11 memories');
    expect(address().get('q')).toBe('NOTE 11');
    // Each pause in typing is a step, and the browser's button goes back one.
    await page.locator('#filter-q').fill('');
    await count('50 of 125 memories');
    await page.locator('#filter-tag').fill('database');
    await count('1 of 1 memory');
    await page.goBack();
    await count('50 of 125 memories');
    expect(await page.locator('#filter-tag').inputValue()).toBe('');
    await page.goBack();
    await count('11 of 11 memories');
    await page.locator('#filter-q').fill('');
    await page.locator('#filter-scope').selectOption('PRIVATE');
    await count('1 of 1 memory');
    await item(SECRET).getByText('PRIVATE').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await count('50 of 125 memories');
    await page.locator('#filter-q').fill('nowhere to be found');
    await page.getByText('No memory fits these filters.').waitFor();
  });

  test('says when something was said meanwhile, and leaves the list as it is until it is asked for', async () => {
    await open('#agent=gil&view=browse&by=gil');
    await page.getByText('No memory fits these filters.').waitFor();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await service.call('POST', '/ingest', 'gil', { content: 'The gate is shut.', scope: 'PRIVATE' });
    const show = page.getByRole('button', { name: 'Show what is new' });
    await show.waitFor();
    expect(await items().count()).toBe(0);
    await show.click();
    await item('The gate is shut.').waitFor();
    expect(await show.count()).toBe(0);
    expect(await page.locator(':focus').textContent()).toBe('The gate is shut.');
  });

  test('keeps what is typed while an answer comes, blanks at its end too', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await open('#agent=ann&view=browse');
    await count('50 of 125 memories');
    const q = page.locator('#filter-q');
    await q.pressSequentially('note ');
    await count('50 of 120 memories');
    await q.pressSequentially('11');
    await count('11 of 11 memories');
    expect(await q.inputValue()).toBe('note 11');

    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.route('**/recall', async (route) => {
      await isAnswered;
      await route.continue();
    });
    const query = page.locator('#query');
    await query.fill('mails');
    const [asked] = await Promise.all([page.waitForRequest('**/recall'), query.press('Enter')]);
    await query.fill('mails a day ');
    answer();
    await asked.response();
    await item('Dana wants').first().waitFor();
    expect(await query.inputValue()).toBe('mails a day ');
    expect(address().get('query')).toBe('mails');
  });

  test('asks for a question again where the last one was left before its answer came', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await open('#agent=ann&view=search');
    await page.route('**/recall', async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.locator('#query').fill('mails');
    const [asked] = await Promise.all([page.waitForRequest('**/recall'), page.locator('#query').press('Enter')]);
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await count('50 of 125 memories');
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    const hint = page.getByText('Ask something to see what comes back, and why.');
    await hint.waitFor();
    answer();
    await (await asked.response())?.finished();
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await hint.waitFor();
    expect(await items().count()).toBe(0);
  });

  test('asks again what was not answered, when the stream says that the service is back', async () => {
    mayFail = true;
    await open('#agent=ann&view=search');
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.clock.install();
    let isAway = true;
    // As a gateway answers in the place of a service that starts anew; the browser gives its stream up.
    await page.route(
      (url) => url.origin === service.url,
      (route) => (isAway ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue()),
    );
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await page.getByText('The service answered 502').waitFor();
    service.dropConnections();
    await page.getByRole('status').getByText('Not live').waitFor();
    isAway = false;
    for (let tries = 0; tries < 10 && (await page.locator('#live[data-state="off"]').count()) > 0; tries += 1)
      await page.clock.runFor(2_000);
    await count('50 of 125 memories');
    expect(await page.locator('#banner').isVisible()).toBe(false);
  });

  test('says in each view that it waits for a slow answer, counts nothing before, and speaks of no last answer without one', async () => {
    mayFail = true;
    await open('#agent=ann&view=health');
    await visible('.tile').waitFor();
    let answer: (how: 'continue' | 'abort') => void = () => undefined;
    const answered = new Promise<'continue' | 'abort'>((resolve) => {
      answer = resolve;
    });
    await page.route(
      (url) => url.origin === service.url && !url.pathname.endsWith('/stream'),
      async (route) => route[await answered](),
    );
    const asking = (selector: string) =>
      page.waitForFunction((found) => {
        const { content, visibility } = getComputedStyle(document.querySelector(found) as Element, '::after');
        return content.includes('Asking') && visibility === 'visible';
      }, selector);
    for (const [name, place] of [
      ['Overview', '#overview'],
      ['Timeline', '#timeline .card > :first-child'],
      ['Consolidation', '#consolidation'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await asking(place);
    }
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await page.locator('#browse .card-note').getByText('Asking …').waitFor();
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    answer('abort');
    const banner = page.getByRole('alert');
    await banner.getByText('The service does not answer.').waitFor();
    expect(await banner.textContent()).not.toContain('last that was read');
    expect(
      await page
        .locator('#timeline .card > :first-child')
        .evaluate((element) => getComputedStyle(element, '::after').content),
    ).toBe('none');
    expect(await page.locator('#timeline .card').isVisible()).toBe(false);
  });

  test('says that the service is away, keeps what was read, and reads anew when it is back', async () => {
    mayFail = true;
    const own = await startRealService({ embedder: null });
    try {
      await own.call('POST', '/ingest', 'ann', { content: 'Said before.' });
      await open('#agent=ann', { at: own });
      await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
      const memories = page.locator('.tile', { hasText: 'Memories' }).locator('dd');
      await memories.getByText('1', { exact: true }).waitFor();
      let isAway = true;
      await page.route(
        (url) => url.origin === own.url,
        (route) => (isAway ? route.abort() : route.continue()),
      );
      own.dropConnections();
      const banner = page.getByRole('alert');
      await banner.getByText('The service does not answer.').waitFor();
      await banner.getByText(/^Since \d\d:\d\d:\d\d$/).waitFor();
      await banner.getByText('may be out of date').waitFor();
      expect(await memories.textContent()).toBe('1');
      const heading = page.getByRole('heading', { name: 'Agents' });
      expect(await heading.evaluate((element) => getComputedStyle(element, '::after').content)).toContain('last known');
      await own.call('POST', '/ingest', 'ann', { content: 'Said meanwhile.' });
      isAway = false;
      await banner.waitFor({ state: 'hidden' });
      await memories.getByText('2', { exact: true }).waitFor();
      expect(await heading.evaluate((element) => getComputedStyle(element, '::after').content)).toBe('none');
    } finally {
      await page.goto('about:blank');
      await own.close();
    }
  });

  test('takes days as days of the reader, both ends included', async () => {
    await open('#agent=ann&view=browse');
    // The first fact was said on 2026-11-22 at 09:32 UTC, the next ones a day later each.
    await page.locator('#filter-from').fill('2026-11-22');
    await page.locator('#filter-to').fill('2026-11-23');
    await count('2 of 2 memories');
    const asked = watched.requests.map((request) => request.url()).findLast((url) => url.includes('until='));
    // Berlin is an hour ahead of UTC in November.
    expect(new URL(asked as string).searchParams.get('since')).toBe('2026-11-21T23:00:00.000Z');
    expect(new URL(asked as string).searchParams.get('until')).toBe('2026-11-23T23:00:00.000Z');
    await page.getByText(/^Times are in your time zone, Europe\/Berlin \(UTC\+[12]\); hover for UTC/).waitFor();
  });

  test('opens a memory to everything that is known of it', async () => {
    await open('#agent=ann&view=browse&tag=database');
    await item('PostgreSQL').getByRole('link').click();
    await detail().getByText('"ticket": 118').waitFor();
    await detail().locator('.chips').getByText('database', { exact: true }).waitFor();
    await fact('Strength').getByText('%').waitFor();
    await fact('Recalled').getByText('never').waitFor();
    await fact('Session').getByText('talk').waitFor();
    expect(address().get('memory')).toBe(await idOf('The database runs'));
    await page.keyboard.press('Escape');
    await detail().waitFor({ state: 'detached' });
    // The dialog has closed a turn before the page clears the address.
    await page.waitForFunction(() => !location.hash.includes('memory='));
    await open(`#agent=bob&memory=${await idOf(LONG)}`);
    expect((await detail().locator('.said').last().textContent()) ?? '').toBe(LONG);
  });

  test('changes tags and importance, and says so when somebody else was faster', async () => {
    const id = await idOf('Dana wants');
    await open(`#agent=ann&view=browse&q=digest&memory=${id}`);
    await detail().getByRole('button', { name: 'Edit' }).click();
    await page.locator('#edit-tags').fill('mail\n digest, daily \n\nmail');
    await page.locator('#edit-importance').fill('0.9');
    await detail().getByRole('button', { name: 'Save' }).click();
    await fact('Importance').getByText('90 %').waitFor();
    const { memory } = await service.call('GET', `/memory/${id}`, 'ann');
    expect(memory).toMatchObject({ tags: ['mail', 'digest, daily'], importance: 0.9, gist: FACTS[0]?.content });
    await item('Dana wants').getByText('digest, daily').waitFor();

    mayFail = true;
    await detail().getByRole('button', { name: 'Edit' }).click();
    service.clock.advance(1000);
    await service.call('PUT', `/memory/${id}`, 'bob', { tags: ['faster'] });
    await page.locator('#edit-tags').fill('slower');
    await detail().getByRole('button', { name: 'Save' }).click();
    await detail().getByRole('alert').getByText('changed').waitFor();
    expect(await page.locator('#edit-tags').inputValue()).toBe('slower');
    const focused = () => page.locator(':focus').textContent();
    expect(await focused()).toBe('Save');
    const readAgain = () => detail().getByRole('button', { name: 'Read it again' }).click();
    const question = page.getByRole('dialog', { name: 'Read it again without saving?' });
    await readAgain();
    await question.getByRole('button', { name: 'Keep typing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.locator('#edit-tags').inputValue()).toBe('slower');
    await readAgain();
    await question.getByRole('button', { name: 'Read it again' }).click();
    await detail().locator('.chips').getByText('faster').waitFor();
    expect(await focused()).toBe('Memory');
  });

  test('asks for words where a required field has blanks alone', async () => {
    await open(`#agent=ann&view=browse&memory=${await idOf('Dana wants')}`);
    const refused = async (form: string, id: string, send: string) => {
      await detail().getByRole('button', { name: form, exact: true }).click();
      const field = page.locator(id);
      await field.fill('  \n ');
      await detail().getByRole('button', { name: send, exact: true }).click();
      await page.locator(`${id}:focus`).waitFor();
      const said = await field.evaluate((one) => (one as HTMLTextAreaElement).validationMessage);
      await field.fill('Words.');
      expect(await field.evaluate((one) => (one as HTMLTextAreaElement).checkValidity())).toBe(true);
      await detail().getByRole('button', { name: 'Cancel' }).click();
      return said;
    };
    expect(await refused('Edit', '#edit-gist', 'Save')).toContain('blanks alone');
    expect(await refused('Invalidate …', '#invalidation-reason', 'Invalidate')).toContain('blanks alone');
    const asked = watched.requests.filter((request) => request.url().includes('/memory/'));
    expect(new Set(asked.map((request) => request.method()))).toEqual(new Set(['GET']));
  });

  test('saves once where the button is pressed twice', async () => {
    const { memory } = await service.call('POST', '/ingest', 'fay', { content: 'The ramp is wet.' });
    const { id } = memory as unknown as { id: string };
    await open(`#agent=fay&view=browse&memory=${id}`);
    await detail().getByRole('button', { name: 'Invalidate …' }).click();
    await page.locator('#invalidation-reason').fill('It is dry.');
    await detail().getByRole('button', { name: 'Invalidate', exact: true }).dblclick();
    await detail().getByText('It is dry.').waitFor();
    await detail().getByRole('button', { name: 'Take end back' }).waitFor();
    expect(watched.requests.filter((request) => request.url().endsWith('/invalidate')).length).toBe(1);
  });

  test('follows what others make of the open memory, and leaves alone what is typed', async () => {
    mayFail = true;
    const { memory } = await service.call('POST', '/ingest', 'fay', { content: 'The tram is late.' });
    const { id } = memory as unknown as { id: string };
    await open(`#agent=fay&view=browse&memory=${id}`);
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await detail().getByRole('button', { name: 'History' }).focus();
    service.clock.advance(1000);
    await service.call('PUT', `/memory/${id}`, 'bob', { gist: 'The tram is on time.' });
    await detail().locator('.said').getByText('on time').waitFor();
    expect(await page.locator(':focus').textContent()).toBe('History');
    await detail().getByRole('button', { name: 'Edit' }).click();
    await page.locator('#edit-gist').fill('The tram is early.');
    service.clock.advance(1000);
    await service.call('PUT', `/memory/${id}`, 'bob', { gist: 'The tram is full.' });
    await service.call('POST', '/ingest', 'fay', { content: 'The tram has a bell.' });
    await page.getByRole('button', { name: 'Show what is new' }).waitFor({ state: 'attached' });
    expect(await page.locator('#edit-gist').inputValue()).toBe('The tram is early.');
    await detail().getByRole('button', { name: 'Cancel' }).click();
    await service.call('DELETE', `/memory/${id}`, 'bob');
    await detail().getByText('Deleted.').waitFor();
    await detail().getByRole('button', { name: 'Make it what it was before' }).first().waitFor();
  });

  test('deletes nothing that somebody else has changed since it was read', async () => {
    mayFail = true;
    const { memory } = await service.call('POST', '/ingest', 'fay', { content: 'The boiler is off.' });
    const { id } = memory as unknown as { id: string };
    await open(`#agent=fay&view=browse&memory=${id}`);
    await detail().getByRole('button', { name: 'Delete …' }).click();
    service.clock.advance(1000);
    await service.call('PUT', `/memory/${id}`, 'bob', { gist: 'The boiler is off, and must stay off.' });
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await detail().getByRole('alert').getByText('changed').waitFor();
    await detail().getByRole('button', { name: 'Read it again' }).click();
    await detail().locator('.said').getByText('must stay off').waitFor();
  });

  test('reverts nothing that somebody else has changed since it was read', async () => {
    mayFail = true;
    const { memory } = await service.call('POST', '/ingest', 'fay', { content: 'The gate is green.' });
    const { id } = memory as unknown as { id: string };
    service.clock.advance(1000);
    await service.call('PUT', `/memory/${id}`, 'fay', { gist: 'The gate is grey.' });
    await open(`#agent=fay&view=browse&memory=${id}`);
    await detail().getByRole('button', { name: 'History' }).click();
    await detail().getByRole('button', { name: 'Make it what it was before' }).waitFor();
    service.clock.advance(1000);
    await service.call('PUT', `/memory/${id}`, 'bob', { gist: 'The gate is grey, and locked at night.' });
    await detail().getByRole('button', { name: 'Make it what it was before' }).click();
    await detail().getByRole('alert').getByText('changed').waitFor();
    await detail().getByRole('button', { name: 'Read it again' }).click();
    await detail().locator('.said').getByText('locked at night').waitFor();
    await detail().getByRole('button', { name: 'History' }).click();
    await detail().getByRole('button', { name: 'Make it what it was before' }).last().click();
    await detail().locator('.said').getByText('The gate is green.').waitFor();
  });

  test('closes a memory by a click beside it, and by none within, such as one that ends a marking of its words', async () => {
    await open(`#agent=ann&view=browse&memory=${await idOf('Dana wants')}`);
    await detail().getByRole('button', { name: 'Edit' }).click();
    const gist = await page.locator('#edit-gist').boundingBox();
    const sheet = await detail().boundingBox();
    const [left, top] = [sheet?.x ?? 0, gist?.y ?? 0];
    await page.mouse.click(left + 8, top + 10);
    await page.mouse.click(left + 300, 890);
    await page.mouse.move(left + 80, top + 10);
    await page.mouse.down();
    await page.mouse.move(left - 80, top + 10);
    await page.mouse.up();
    expect(await page.locator('#edit-gist').isVisible()).toBe(true);
    await page.mouse.click(left - 80, top + 10);
    await detail().waitFor({ state: 'detached' });
    await page.waitForFunction(() => !location.hash.includes('memory='));
  });

  test('asks before words that were typed go with the form, whatever closes it', async () => {
    const id = await idOf('Dana wants');
    await open('#agent=ann&view=browse&q=digest');
    await item('Dana wants').getByRole('link').click();
    await detail().getByRole('button', { name: 'Edit' }).click();
    await page.locator('#edit-gist').fill('Dana wants no digest.');
    const keep = page.getByRole('button', { name: 'Keep typing' });
    const pressEscape = () => page.keyboard.press('Escape');
    const clickBeside = () => page.mouse.click(20, 500);
    const clickClose = () => detail().getByRole('button', { name: 'Close' }).click();
    // Of many presses of Escape with none of another key between them, a browser hands a page only the first ones.
    for (const close of [
      pressEscape,
      pressEscape,
      pressEscape,
      pressEscape,
      clickBeside,
      clickClose,
      () => page.goBack(),
    ]) {
      await close();
      await keep.waitFor();
      await page.keyboard.press('Escape');
      // A closed dialog is hidden before its page hears of it.
      await page.locator('dialog.confirm').waitFor({ state: 'detached' });
      expect(await page.locator('#edit-gist').inputValue()).toBe('Dana wants no digest.');
      expect(address().get('memory')).toBe(id);
    }
    mayFail = true;
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => location.reload());
    expect((await asked).type()).toBe('beforeunload');
    expect(await page.locator('#edit-gist').inputValue()).toBe('Dana wants no digest.');

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await detail().waitFor({ state: 'detached' });
    await page.waitForFunction(() => !location.hash.includes('memory='));
    await item('Dana wants').getByRole('link').click();
    await detail().locator('.said').getByText('one digest a day').waitFor();
    await detail().getByRole('button', { name: 'Edit' }).click();
    await page.keyboard.press('Escape');
    await detail().waitFor({ state: 'detached' });
  });

  test('ends a memory with a reason, shows who replaced it and why, and takes both back', async () => {
    const { memory } = await service.call('POST', '/ingest', 'fay', { content: 'The lobby closes at six.' });
    const { id } = memory as unknown as { id: string };
    await open(`#agent=fay&view=browse&by=fay&memory=${id}`);
    await detail().getByRole('button', { name: 'Invalidate …' }).click();
    await page.locator('#invalidation-reason').fill('The lobby is closed for good.');
    await detail().getByRole('button', { name: 'Invalidate' }).click();
    await detail().getByText('The lobby is closed for good.').waitFor();
    const invalidated = (await service.call('GET', `/memory/${id}`, 'fay')).memory;
    expect(invalidated).toMatchObject({ invalidation: { agent_id: 'fay', reason: 'The lobby is closed for good.' } });
    await detail().getByRole('button', { name: 'Take end back' }).click();
    await fact('Holds until').getByText('–').waitFor();

    await service.call('POST', '/ingest', 'gus', { content: 'The lobby closes at seven.', supersedes: [id] });
    await open(`#agent=fay&view=browse&by=fay&memory=${id}`);
    await detail().getByText('said anew').waitFor();
    await detail().getByRole('button', { name: 'Take supersession back' }).click();
    await detail().getByText('said anew').waitFor({ state: 'detached' });
    expect((await service.call('GET', `/memory/${id}`, 'fay')).memory).toMatchObject({ superseded_by: null });
  });

  test('lists what was done to a memory, and makes it what it was', async () => {
    const { memory } = (await service.call('POST', '/ingest', 'fay', { content: 'The kettle is red.' })) as unknown as {
      memory: { id: string };
    };
    await service.call('PUT', `/memory/${memory.id}`, 'fay', { gist: 'The kettle is blue.' });
    await open('#agent=fay&view=browse&by=fay');
    await item('The kettle is blue.').getByRole('link').click();
    await detail().getByRole('button', { name: 'History' }).click();
    const change = detail().getByRole('listitem').filter({ hasText: 'edit: gist' });
    expect(await change.locator('.changed-text').innerHTML()).toMatch(
      /The kettle is .*<del>.*red.*<\/del>.*<ins>.*blue.*<\/ins>/s,
    );
    await detail().getByRole('button', { name: 'Make it what it was before' }).click();
    await item('The kettle is red.').waitFor();
    expect(await service.call('GET', `/memory/${memory.id}`, 'fay')).toMatchObject({
      memory: { gist: 'The kettle is red.' },
    });
  });

  test('deletes only after asking', async () => {
    await service.call('POST', '/ingest', 'eve', { content: 'This may go.' });
    await open('#agent=eve&view=browse&by=eve');
    await item('This may go.').getByRole('link').click();
    await detail().getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await detail().getByRole('button', { name: 'Delete …' }).click();
    expect((await service.call('GET', '/memories?agent_id=eve', 'eve')).total).toBe(1);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No memory fits these filters.').waitFor();
    expect((await service.call('GET', '/memories?agent_id=eve', 'eve')).total).toBe(0);

    // What is deleted can be brought back here, and by its address later.
    await detail().getByText('Deleted.').waitFor();
    await detail().getByRole('button', { name: 'Close' }).click();
    mayFail = true;
    const isClosed = () => page.waitForFunction(() => !location.hash.includes('memory='));
    await isClosed();
    await page.goBack();
    await detail().getByRole('button', { name: 'Make it what it was before' }).click();
    await item('This may go.').waitFor();
    expect((await service.call('GET', '/memories?agent_id=eve', 'eve')).total).toBe(1);
    await detail().getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await isClosed();
    await page.getByText('No memory fits these filters.').waitFor();
    await page.goBack();
    await detail().getByRole('alert').getByText('not found').waitFor();
    expect(await detail().getByText('Deleted.').count()).toBe(0);
  });

  test('shows what recall answers, with its context, and leaves no trace', async () => {
    const query = 'How many mails a day does Dana want?';
    const body = { query, top_k: 20, explain: true, strengthen: false };
    const expected = (await service.call('POST', '/recall', 'ann', body)) as unknown as {
      memories: { content: string; score: number; relevance: string }[];
      context: string;
    };
    await open('#agent=ann&view=search');
    await page.locator('#query').fill(query);
    await page.keyboard.press('Enter');
    await item('Dana wants').first().waitFor();
    expect(address().get('query')).toBe(query);
    const best = expected.memories[0];
    const first = items().first();
    expect(await first.locator('.memory-gist').textContent()).toBe(best?.content);
    expect(await first.locator('.score-value').textContent()).toBe(best?.score.toFixed(2));
    expect(await first.locator('.relevance').textContent()).toBe(best?.relevance);
    expect(await page.locator('.context').textContent()).toBe(expected.context);
    // Ten at first, the others on demand.
    expect(await items().count()).toBe(10);
    await page.getByRole('button', { name: `Show all ${expected.memories.length} memories` }).click();
    await items().nth(10).waitFor();
    expect(await items().count()).toBe(expected.memories.length);
    // The reasons of the first are told in full, those of the others on demand.
    const told = page.locator('.why-sentence:visible');
    expect(await told.allTextContents()).toEqual([expect.stringMatching(/^Found because it /)]);
    await items().nth(1).locator('.why summary').click();
    await told.nth(1).waitFor();
    await items().nth(1).locator('.why-numbers').getByText('meaning').waitFor();
    for (const one of [first, items().nth(1)]) {
      const parts = await one.locator('.why-numbers [data-reason] .num').allTextContents();
      const sum = parts.reduce((total, part) => total + Number(part.replace('−', '-')), 0);
      expect([sum.toFixed(2)]).toEqual(await one.locator('.score-value').allTextContents());
    }
    const { memory } = await service.call('GET', `/memory/${await idOf('Dana wants')}`, 'ann');
    expect(memory).toMatchObject({ recall_count: 0, last_recalled_at: null });
  });

  test('shows what comes of the sources that are trusted, and shares it in the address', async () => {
    const query = 'Which port does the printer listen on?';
    const say = (content: string, source: string) => service.call('POST', '/ingest', 'ivy', { content, source });
    await say('The printer listens on port 9100.', 'user');
    await say('A scan found the printer on port 631.', 'tool');
    await open(`#agent=ivy&view=search&query=${encodeURIComponent(query)}`);
    await item('port 631').waitFor();
    await page.getByLabel('Least trusted source').selectOption('user');
    await item('port 631').waitFor({ state: 'detached' });
    expect(await item('port 9100').count()).toBe(1);
    expect(address().get('trust')).toBe('user');
    await page.reload();
    await item('port 9100').waitFor();
    expect(await page.getByLabel('Least trusted source').inputValue()).toBe('user');
    expect(await item('port 631').count()).toBe(0);
  });

  test('asks only what one agent told, and shares it in the address', async () => {
    await service.call('POST', '/ingest', 'kay', { content: 'The archive door has the code of the year.' });
    await service.call('POST', '/ingest', 'lea', { content: 'The archive door opens to the left.' });
    await open('#agent=ann&view=search');
    // Set before the question is sent, a condition asks it.
    await page.getByText('More conditions').click();
    await page.locator('#query').fill('the archive door');
    await page.locator('#recall-kind').selectOption('episodic');
    await item('opens to the left').waitFor();
    expect(address().get('query')).toBe('the archive door');
    await page.locator('#recall-by').fill('kay');
    await page.keyboard.press('Enter');
    await item('opens to the left').waitFor({ state: 'detached' });
    expect(await item('the code of the year').count()).toBe(1);
    expect(address().get('by')).toBe('kay');
    await page.reload();
    await item('the code of the year').waitFor();
    expect(await items().count()).toBe(1);
  });

  test('draws the reasons of a score as shares of it, and a plain bar without any', async () => {
    const none = {
      vector: 0,
      lexical: 0,
      entity: 0,
      circumstance: 0,
      update: 0,
      recency: 0,
      importance: 0,
      priming: 0,
    };
    const reasons = [{ ...none, vector: 0.75, lexical: 0.15, crowding: -0.1 }, none, undefined];
    await open('#agent=ann&view=search');
    await page.route('**/recall', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const memories = reasons.map((why, place) => ({ ...answer.memories[place], score: 0.8, why }));
      await route.fulfill({ response, json: { ...answer, memories } });
    });
    await page.locator('#query').fill('note of the long list');
    await page.keyboard.press('Enter');
    await items().nth(2).waitFor();
    const drawn = await items().evaluateAll((all) =>
      all.map((item) => {
        const chunks = [...item.querySelectorAll('.why .bar rect')].filter(
          (chunk) => Number(chunk.getAttribute('width')) > 0,
        );
        return {
          chunks: chunks.map(
            (chunk) => `${chunk.getAttribute('class')} ${Number(chunk.getAttribute('width')).toFixed(0)}`,
          ),
          numbers: [...item.querySelectorAll('.why-numbers li')].map((reason) => reason.textContent?.trim()),
        };
      }),
    );
    expect(drawn).toEqual([
      // 0.75 and 0.15 of 0.9, in a bar of 80 of 100.
      {
        chunks: ['bar-vector 67', 'bar-lexical 13'],
        numbers: ['meaning 0.75', 'words 0.15', 'like many others −0.10', 'together 0.80'],
      },
      { chunks: ['bar-plain 80'], numbers: [] },
      { chunks: ['bar-plain 80'], numbers: [] },
    ]);
  });

  test('goes on saying why a consolidation was not possible when what is there has been read again', async () => {
    mayFail = true;
    await open('#agent=ann&view=consolidation');
    const dryRun = page.getByRole('button', { name: 'Try a dry run' });
    await page.getByText('None has run yet. A dry run').waitFor();
    await page.route('**/consolidate', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 409, json: { detail: 'Another run is going on.' } }),
    );
    await Promise.all([page.waitForResponse('**/pruned*'), dryRun.click()]);
    await page.locator('#consolidation [aria-disabled="false"]', { hasText: 'Try a dry run' }).waitFor();
    await page.getByRole('alert').getByText('Another run is going on.').waitFor();
    // It does not seem to go on where what is there cannot be read either.
    await page.route('**/pruned*', (route) => route.abort());
    await Promise.all([page.waitForEvent('requestfailed'), dryRun.click()]);
    await page.locator('#consolidation [aria-disabled="false"]', { hasText: 'Try a dry run' }).waitFor();
  });

  test('says what a key may not see, in place of an empty page', async () => {
    mayFail = true;
    await open('#agent=ann');
    await agentRow('ann').waitFor();
    const detail = "The role 'agent-ro' may not do this; it needs 'team-admin'.";
    const refuse = (route: { fulfill(answer: object): Promise<void> }) =>
      route.fulfill({ status: 403, json: { detail } });
    await page.route('**/consolidate*', refuse);
    await page.route('**/pruned*', refuse);
    await page.getByRole('link', { name: 'Consolidation' }).click();
    await page.locator('#consolidation').getByText(detail).waitFor();
    expect(await page.locator('#consolidation button').count()).toBe(0);
    expect(await page.locator('#banner').isVisible()).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
    await page.unroute('**/consolidate*');
    await page.unroute('**/pruned*');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Consolidation' }).click();
    await page.getByRole('button', { name: 'Try a dry run' }).waitFor();
  });

  test('shows text that looks like HTML as that text', async () => {
    await open(`#agent=ann&view=browse&q=${encodeURIComponent('onerror')}`);
    await items().getByText(HOSTILE, { exact: true }).first().click();
    await detail().locator('.said').getByText(HOSTILE, { exact: true }).waitFor();
    await open(`#agent=ann&view=search&query=${encodeURIComponent(HOSTILE)}`);
    await item(HOSTILE).first().waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  test('shows the detail of a problem, and nothing of a memory that the agent may not see', async () => {
    mayFail = true;
    const secret = await firstId('scope=PRIVATE');
    await open(`#agent=ann&memory=${secret}`);
    await detail().locator('.said').getByText(SECRET).waitFor();
    await page.goto(`${service.url}/dashboard#agent=bob&memory=${secret}`);
    await detail().getByText(`Memory '${secret}' not found`).waitFor();
    expect(await page.getByText(SECRET).count()).toBe(0);
    await page.goto(`${service.url}/dashboard#agent=*`);
    await page.locator('#banner').getByText('name one agent').waitFor();
    await page.goto(`${service.url}/dashboard#agent=ann&project=${'x'.repeat(129)}`);
    await page.locator('#banner').getByText('No project has a name of more than 128 characters').waitFor();
  });

  test('says how to store a first memory where there is none', async () => {
    const empty = await startRealService({ embedder: null });
    try {
      await open('#agent=newcomer', { at: empty });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const command = page.locator('.command code');
      await command.getByText('/ingest?agent_id=newcomer').waitFor();
      await page.getByRole('button', { name: 'Copy the call that stores a message' }).click();
      await page.locator('#announcer').getByText('Copied the call that stores a message').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await command.textContent());
      expect(await axeFaults(page)).toEqual([]);
      await page.locator('.facts').getByText('off: words and entities only').waitFor();
      await page.getByRole('link', { name: 'Browse' }).click();
      await page.getByText('Nothing is remembered yet that this agent may see.').waitFor();
      await page.goto(`${empty.url}/dashboard#view=search&query=anything`);
      await page.getByText('Nothing that is remembered bears on it.').waitFor();
      // What the page says to do shows there, and answers the question that it leads to.
      await page.goto(`${empty.url}/dashboard#agent=newcomer&view=overview`);
      const link = page.locator('.first-steps').getByRole('link', { name: 'Search' });
      await link.waitFor();
      await empty.call('POST', '/ingest', 'newcomer', { content: 'The release is on Friday at noon.', role: 'user' });
      await page.goto(new URL((await link.getAttribute('href')) as string, page.url()).href);
      await item('The release is on Friday at noon.').waitFor();
      // In a space it stores there; the demonstrations would fill the default one.
      await page.goto(`${empty.url}/dashboard?space=team-d#agent=newcomer`);
      await command.getByText('/ingest?agent_id=newcomer&space=team-d').waitFor();
      expect(await page.getByText('npm run demo').count()).toBe(0);
      await page.locator('.facts').getByText('none yet: nothing is stored in this space').waitFor();
      await page.context().close();
    } finally {
      await empty.close();
    }
  });

  test('is usable by keyboard, from the view to the memory and back', async () => {
    await open('#agent=ann');
    await agentRow('ann').waitFor();
    const tabTo = async (selector: string) => {
      for (let i = 0; i < 60; i += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip-link');
    await tabTo('#views a:nth-child(3)');
    await page.keyboard.press('Enter');
    await tabTo('#filter-q');
    await page.keyboard.type('PostgreSQL');
    await count('1 of 1 memory');
    await tabTo('.memory-gist');
    await page.keyboard.press('Enter');
    await detail().waitFor();
    await tabTo('#detail .button-danger');
    await page.keyboard.press('Escape');
    await detail().waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('memory-gist');
  });

  test.each([375, 1440])('never hides the focus behind its header, %d px wide', async (width) => {
    await open('#agent=ann&view=browse&by=bob', { width });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await items().last().locator('a').focus();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Shift+Tab');
      const hidden = await page.evaluate(() => {
        const header = document.querySelector('.page-header') as HTMLElement;
        const focused = document.activeElement as HTMLElement;
        const isBehind = focused.getBoundingClientRect().top < header.getBoundingClientRect().bottom;
        return !header.contains(focused) && isBehind ? focused.textContent : null;
      });
      expect(hidden).toBeNull();
    }
  });

  test('shows one project with what is of none and what others share, and keeps the choice in the address', async () => {
    const own = await startRealService({ embedder: null });
    try {
      const say = (content: string, more: object = {}) => own.call('POST', '/ingest', 'ann', { content, ...more });
      await say('Lunch is at noon.');
      await open('#agent=ann&view=browse', { at: own });
      await item('Lunch').waitFor();
      expect(await page.locator('#project-field').isHidden()).toBe(true);
      await say('The shop ships on Mondays.', { project: 'web-shop' });
      await say('The shop is mine to close.', { project: 'web-shop', scope: 'PRIVATE' });
      await say('The blog moves to Bern.', { project: 'blog' });
      await say('The blog has a style guide.', { project: 'blog', scope: 'SHARED' });
      await page.reload();
      await count('5 of 5 memories');
      await item('moves to Bern').getByText('blog', { exact: true }).waitFor();
      await page.locator('#project-select').getByText('web-shop (2)').waitFor({ state: 'attached' });
      expect(await page.locator('#project-select option').allTextContents()).toEqual([
        'All projects',
        'blog (2)',
        'web-shop (2)',
      ]);
      const before = watched.requests.length;
      await page.locator('#project-select').selectOption('web-shop');
      await count('4 of 4 memories');
      expect(await item('moves to Bern').count()).toBe(0);
      expect(await item('style guide').count()).toBe(1);
      expect(address().get('project')).toBe('web-shop');
      const listed = watched.requests.slice(before).filter((one) => new URL(one.url()).pathname === '/memories');
      expect(await Promise.all(listed.map((one) => one.headerValue('x-project')))).toEqual(['web-shop']);
      await item('ships on Mondays').getByRole('link').click();
      await fact('Project').getByText('web-shop').waitFor();
      await page.goBack();
      await page.goBack();
      await count('5 of 5 memories');

      await open('#agent=bob&project=web-shop', { at: own });
      await page.getByText('as bob sees them in web-shop').waitFor();
      await page.locator('#project-select').getByText('web-shop (1)').waitFor({ state: 'attached' });
      await page.goto(`${own.url}/dashboard#agent=bob&project=new-one&view=browse&scope=TEAM`);
      await count('1 of 1 memory');
      expect(await page.locator('#project-select').inputValue()).toBe('new-one');
      await page.goto(`${own.url}/dashboard#agent=bob&project=J%C3%BCrgens&view=browse`);
      await count('2 of 2 memories');
      mayFail = true;
      await page.goto(`${own.url}/dashboard#agent=*`);
      await page.locator('#banner').getByText('name one agent').waitFor();
      expect(await page.locator('#project-field').isHidden()).toBe(true);
    } finally {
      await own.close();
    }
  });

  test.each([320, 1024])('names the columns of the freshness chart whole, %d px wide', async (width) => {
    await open('#agent=ann', { width });
    const names = page.locator('.histogram-name');
    await names.first().waitFor();
    const texts = await names.evaluateAll((all) =>
      all.map((name) => (name.scrollWidth > name.clientWidth ? `${name.textContent} is cut` : name.textContent)),
    );
    expect(texts).toEqual(['0 %', '10', '20', '30', '40', '50', '60', '70', '80', '90']);
  });

  test.each([375, 1440])('fits %d px in the light and the dark scheme', async (width) => {
    const views = ['', '&view=browse', '&view=search&query=mail', `&memory=${await idOf(LONG)}`];
    await open('#agent=ann', { width });
    for (const view of views) {
      await page.goto(`${service.url}/dashboard#agent=ann${view}`);
      await visible(view === '' ? '.agent-table' : view.includes('memory=') ? '#detail .facts' : '.memory').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await page.evaluate(() => document.querySelector('#detail')?.scrollWidth ?? 0)).toBeLessThanOrEqual(
          width,
        );
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(Number(/\d+/.exec(background)?.[0]) > 128).toBe(colorScheme === 'light');
      }
    }
  });
});
