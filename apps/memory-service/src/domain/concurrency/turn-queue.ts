import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { atOnce, type Steps } from '@agent-faculties/service-kit';

/**
 * Runs work that blocks the event loop for milliseconds, in order and one piece in each turn. Without it, the work for many
 * requests whose answers arrive together would be one long turn.
 */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does. The work begins at once when nothing else has run in this turn. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(afterOthers, afterOthers);
    return done;
  }
}

/** What is put off while the event loop looks for input runs before it looks again: that is no turn for anybody else yet. */
async function afterOthers(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** The most UTF-16 code units of a text that takes less than a millisecond or two to read. */
const SHORT_TEXT = 8_000;
/** A step on a long text waits this many times, and this long each time, while questions are being answered; then it runs anyway. */
const WAITS = 4;
const WAIT_MS = 5;
/** How many questions are being answered in this process. */
let questions = 0;
/** One queue for the process, because there is one event loop. */
const longTexts = new TurnQueue();

export function isLong(text: string): boolean {
  return text.length > SHORT_TEXT;
}

/**
 * Runs one step of the work on a text. A step on a long text blocks the event loop for up to 20 ms: only one runs in each turn,
 * and it first waits a moment for questions that are being answered. A step on a short text runs at once.
 * @param pause between two looks at whether questions are under way
 */
export async function readingStep<T>(
  text: string,
  read: () => T,
  pause: () => Promise<unknown> = () => sleep(WAIT_MS),
): Promise<T> {
  if (!isLong(text)) return read();
  return await longTexts.run(async () => {
    for (let waits = 0; questions > 0 && waits < WAITS; waits++) await pause();
    return read();
  });
}

/** Runs all steps of the work on a text; on a long text one in each turn, as `readingStep` does. */
export async function readInSteps<T>(text: string, steps: Steps<T>): Promise<T> {
  if (!isLong(text)) return atOnce(steps);
  for (;;) {
    const { done, value } = await readingStep(text, () => steps.next());
    if (done) return value;
  }
}

/** Runs the work on a question; steps on long texts wait for it. */
export async function asQuestion<T>(answer: () => Promise<T>): Promise<T> {
  questions++;
  try {
    return await answer();
  } finally {
    questions--;
  }
}
