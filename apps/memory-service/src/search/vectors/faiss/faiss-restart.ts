/** The wait before FAISS is started again; doubles with each failure in a row. */
const FIRST_WAIT_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 30_000;

/** Starts FAISS again after a failure, later each time. */
export class FaissRestart {
  readonly #start: () => void;
  #failuresInARow = 0;
  #timer: NodeJS.Timeout | undefined;
  #isCancelled = false;

  constructor(start: () => void) {
    this.#start = start;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** FAISS has answered, so the next wait is short again. */
  noteAnswer(): void {
    this.#failuresInARow = 0;
  }

  /** @returns the wait in milliseconds; null where a restart is waiting already, or none is to come */
  schedule(): number | null {
    if (this.#isCancelled || this.#timer) return null;
    const wait = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** this.#failuresInARow++, LONGEST_WAIT_MILLISECONDS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#start();
    }, wait);
    return wait;
  }

  /** No restart comes after this. */
  cancel(): void {
    this.#isCancelled = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
