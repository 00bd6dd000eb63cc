import { appendFileSync, renameSync, statSync } from 'node:fs';

const MOST_BYTES = 20 * 1024 * 1024;

/** A file of lines; one that has grown large moves to .1. Where the disk is full, lines are lost and then counted, and what writes them goes on. */
export class LogFile {
  #path;
  #bytes;
  #lost = 0;

  constructor(path) {
    this.#path = path;
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(line) {
    try {
      this.#makeRoom();
      if (this.#lost > 0) {
        // The last line before may have been cut.
        this.#append(`\n${this.#lost} lines of this log were lost.\n`);
        this.#lost = 0;
      }
      this.#append(`${line}\n`);
    } catch (error) {
      if (this.#lost === 0) console.error(`Cannot write ${this.#path}: ${error.message}. Lines are lost until it can.`);
      this.#lost += 1;
    }
  }

  #append(text) {
    appendFileSync(this.#path, text);
    this.#bytes += Buffer.byteLength(text);
  }

  #makeRoom() {
    if (this.#bytes <= MOST_BYTES) return;
    renameSync(this.#path, `${this.#path}.1`);
    this.#bytes = 0;
  }
}
