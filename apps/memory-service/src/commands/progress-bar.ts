const WIDTH = 30;
/** Where lines cannot be overwritten, as in the log of a cron job, the bar prints one line for each tenth. */
const STEPS = 10;

export interface ProgressOutput {
  /** Whether it is a terminal, where a line can be overwritten. */
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

/** Shows the progress of a long job. */
export class ProgressBar {
  readonly #total: number;
  readonly #output: ProgressOutput;
  #shown = '';
  #step = 0;

  constructor(total: number, output: ProgressOutput) {
    this.#total = total;
    this.#output = output;
  }

  /** @param done of the total; more when the total was an estimate */
  show(done: number): void {
    const share = Math.min(1, this.#total === 0 ? 1 : done / this.#total);
    const { isTerminal, write } = this.#output;
    const step = Math.floor(share * STEPS);
    if (!isTerminal && step === this.#step) return;
    this.#step = step;
    const bar = `[${'#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '-')}]`;
    const text = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${count(done)} of ${count(this.#total)}`;
    if (text === this.#shown) return;
    this.#shown = text;
    write(isTerminal ? `\r${text}` : `${text}\n`);
  }

  /** Ends the bar; what is printed next stands below it. */
  end(): void {
    if (this.#output.isTerminal && this.#shown !== '') this.#output.write('\n');
  }
}

/** 12,345 */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}
