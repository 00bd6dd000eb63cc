// Draws the pictures of the README anew, and measures how smooth the memory dashboard is, in Chromium against running services:
//   MEMORY_DATA_DIR=/tmp/team-memory npm run start:memory    and then  npm run demo:team
//   TIMING_DB_PATH=/tmp/timing/demo.db npm run start:timing  and then  npm run demo:timing
//   npm run pictures -- [--out docs/images] [--only dashboard.png] [--measure]
// When the last day of the demonstration is over, TZ=America/Los_Angeles makes it today for the browser.
// MEMORY_URL and TIMING_URL name the services, else MEMORY_PORT and TIMING_PORT of this machine.
// --measure scrolls through all memories of the list and tells the longest task of the page's main thread (by the browser's own
// tracing) and how much moved by itself (cumulative layout shift, of which 0.1 is good), instead of drawing.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, launchChromium, layoutShift } from '../packages/testing/dist/index.js';
import { commandLine } from './lib/command-line.mjs';

const { MEMORY_URL, MEMORY_PORT = 7832, TIMING_URL, TIMING_PORT = 8080 } = process.env;
const MEMORY = MEMORY_URL ?? `http://127.0.0.1:${MEMORY_PORT}`;
const TIMING = TIMING_URL ?? `http://127.0.0.1:${TIMING_PORT}`;
const WIDTH = 1440;
/** Between cards. */
const MARGIN_PX = 16;
const WAIT_MS = 60_000;
/** The pointer is off every picture, and live updates have come. */
const REST_MS = 1_500;
/** Pixels of one turn of the wheel. */
const WHEEL_PX = 4_000;
/** From here on a task is long, as browsers count. */
const LONG_TASK_MS = 50;

/** The lanes show what was held true this long ago. */
const HELD_BEFORE_MS = 50 * 24 * 3_600_000;
const heldAt = new Date(Date.now() - HELD_BEFORE_MS).toISOString();

/** Each is as high as the page, or ends below the last element that it shows whole. */
/** @type {{ file: string, url: string, ready: string, height: number, last?: string }[]} */
const PICTURES = [
  {
    file: 'memory-dashboard.png',
    url: `${MEMORY}/dashboard`,
    ready: '.agent-table',
    height: 1200,
    last: '.coming-up',
  },
  {
    file: 'memory-timeline.png',
    url: `${MEMORY}/dashboard#view=timeline&as_of=${heldAt}`,
    ready: '.lane-counts',
    height: 640,
  },
  {
    file: 'dashboard.png',
    url: `${TIMING}/dashboard#range=24h`,
    ready: '#detail canvas',
    height: 1900,
    last: '.whatif',
  },
];

const { values } = commandLine(import.meta.url, {
  options: {
    out: { type: 'string', default: 'docs/images' },
    only: { type: 'string' },
    measure: { type: 'boolean', default: false },
  },
});

const executablePath = chromiumPath();
if (executablePath === null) process.exit(1);
const browser = await launchChromium(executablePath);
try {
  if (values.measure) await measure();
  else for (const picture of PICTURES.filter(({ file }) => file === (values.only ?? file))) await draw(picture);
} finally {
  await browser.close();
}

async function draw(picture) {
  const { file, url, ready, height, last } = picture;
  const page = await browser.newPage({ viewport: { width: WIDTH, height } });
  await page.goto(url);
  await page.locator(ready).first().waitFor({ timeout: WAIT_MS });
  await page.waitForTimeout(REST_MS);
  mkdirSync(values.out, { recursive: true });
  const path = join(values.out, file);
  const box = last && (await page.locator(last).first().boundingBox());
  await page.screenshot({
    path,
    clip: { x: 0, y: 0, width: WIDTH, height: box ? Math.ceil(box.y + box.height) + MARGIN_PX : height },
  });
  console.log(`${path}: ${Math.round(readFileSync(path).length / 1024)} KiB`);
  await page.close();
}

/** The whole list, from its first memory to its last, by the wheel. */
async function measure() {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 } });
  await page.goto(`${MEMORY}/dashboard#view=browse`);
  await page.locator('.memory').first().waitFor({ timeout: WAIT_MS });
  const note = page.locator('#browse .card-note');
  const [, total] = (await note.textContent()).match(/of ([\d,]+) memories/);
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', '__metadata'],
  });
  await page.mouse.move(WIDTH / 2, 600);
  const isWhole = async () => (await note.textContent()).startsWith(`${total} of`);
  while (!(await isWhole())) await page.mouse.wheel(0, WHEEL_PX);
  for (let turn = 0; turn < 100; turn += 1) await page.mouse.wheel(0, -WHEEL_PX);
  await page.waitForTimeout(REST_MS);
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  const tasks = mainThreadTasks(traceEvents);
  const drawn = await page.locator('.memory').count();
  console.log(`${total} memories scrolled through, ${drawn} of them in the page at the end`);
  console.log(
    `longest task of the main thread: ${longestOf(tasks)} ms; ${tasks.filter((ms) => ms >= LONG_TASK_MS).length} of ${tasks.length} took ${LONG_TASK_MS} ms or more`,
  );
  console.log(`longest in processor time: ${longestOf(mainThreadTasks(traceEvents, 'tdur'))} ms`);
  console.log(`cumulative layout shift: ${(await layoutShift(page)).toFixed(4)}`);
  await page.close();
}

/** In milliseconds, of the thread that draws the page. @param field 'dur' of the clock, 'tdur' of the processor */
function mainThreadTasks(events, field = 'dur') {
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && main.has(`${pid} ${tid}`))
    .map((event) => (event[field] ?? 0) / 1_000);
}

function longestOf(tasks) {
  return tasks.reduce((most, ms) => Math.max(most, ms), 0).toFixed(1);
}
