import type { Clock } from '@agent-faculties/service-kit';

/** How old an answer may be: pages that are open in many windows ask every few seconds. */
const KEPT_MS = 5_000;
const MOST_KEPT = 32;

interface Answer<T> {
  readonly revision: number;
  readonly at: number;
  readonly value: Promise<T>;
}

/** Answers that go through the whole store, each made once while nothing is stored. */
export class RecentAnswers<T> {
  readonly #answers = new Map<string, Answer<T>>();
  readonly #clock: Clock;
  readonly #revision: () => number;

  /** @param revision grows with every change of the store */
  constructor({ clock, revision }: { readonly clock: Clock; readonly revision: () => number }) {
    this.#clock = clock;
    this.#revision = revision;
  }

  /** @param question what was asked, by whom */
  async of(question: unknown, make: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    const [revision, at] = [this.#revision(), this.#clock.now()];
    const known = this.#answers.get(key);
    if (known && known.revision === revision && Math.abs(at - known.at) < KEPT_MS) return await known.value;
    const value = make();
    this.#answers.delete(key);
    this.#answers.set(key, { revision, at, value });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_KEPT) break;
      this.#answers.delete(oldest);
    }
    // The next one asks anew.
    value.catch(() => this.#answers.delete(key));
    return await value;
  }
}
