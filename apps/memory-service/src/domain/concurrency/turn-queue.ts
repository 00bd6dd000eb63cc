import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { atOnce, type Steps } from '@agent-faculties/service-kit';

/**
 * Runs work that holds the event loop for milliseconds one piece a turn, in order. Answers for many requests may come in at
 * once; without this the work on all of them, and what follows it, would be one long turn.
 */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does, which begins at once when nothing else has run in this turn. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(
      () => nextTurn(),
      () => nextTurn(),
    );
    return done;
  }
}

/** UTF-16 code units of a text that is read in less than a millisecond or two. */
const SHORT_TEXT = 8_000;
/** A step on a long text waits so often and so long for questions to be answered, and then goes on all the same. */
const WAITS = 4;
const WAIT_MS = 5;
/** Under way in this process. */
let questions = 0;
/** One for all: there is one event loop. */
const longTexts = new TurnQueue();

export function isLong(text: string): boolean {
  return text.length > SHORT_TEXT;
}

/**
 * One step of the work on a text. A long text's holds the event loop for up to 20 ms, so one such step is done a turn, whoever
 * asks for it, and questions under way go first for a moment; a short text's is done at once.
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

/** The work on a text, one step a turn as `readingStep` does them where it is a long one. */
export async function readInSteps<T>(text: string, steps: Steps<T>): Promise<T> {
  if (!isLong(text)) return atOnce(steps);
  for (;;) {
    const { done, value } = await readingStep(text, () => steps.next());
    if (done) return value;
  }
}

/** Answers a question, before which no long text is read. */
export async function asQuestion<T>(answer: () => Promise<T>): Promise<T> {
  questions++;
  try {
    return await answer();
  } finally {
    questions--;
  }
}
