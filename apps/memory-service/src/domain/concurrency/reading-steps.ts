import { setTimeout as sleep } from 'node:timers/promises';
import { atOnce, type Steps, TurnQueue } from '@agent-faculties/service-kit';

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
 * @param pause awaited before each further check for questions
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
