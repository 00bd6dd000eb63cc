/** Whether the service answers, while there is no stream that tells. */

/** The first question after the stream broke: soon, so that the page says quickly that the service is gone. */
const FIRST_MS = 800;
const AGAIN_MS = 5_000;
/** Without an answer, or with that of a gateway in the place of the service. */
const GONE = [0, 502, 503, 504];

/** @param {unknown} error */
export const saysGone = (error) => GONE.includes(/** @type {any} */ (error)?.status);

export class AwayWatch {
  #ask;
  #onChange;
  /** @type {import('../shared/away-banner.js').Away | null} */
  #away = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {{ ask: () => Promise<unknown>, onChange: (isBack: boolean) => void }} how `ask` throws where there is no answer */
  constructor({ ask, onChange }) {
    this.#ask = ask;
    this.#onChange = onChange;
  }

  /** Null while the service answers. */
  get now() {
    return this.#away;
  }

  /** Something was not answered; the service is asked until it answers. */
  suspected() {
    this.#timer ??= setTimeout(() => void this.#look(), FIRST_MS);
  }

  back() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const wasAway = this.#away !== null;
    this.#away = null;
    if (wasAway) this.#onChange(true);
  }

  async #look() {
    const mine = this.#timer;
    const problem = await this.#problem();
    if (mine !== this.#timer) return;
    this.#timer = undefined;
    if (problem === null) return this.back();
    this.#away = { problem, sinceMs: this.#away?.sinceMs ?? Date.now() };
    this.#timer = setTimeout(() => void this.#look(), AGAIN_MS);
    this.#onChange(false);
  }

  /** Null where the service answers, be it with a refusal. @returns {Promise<string | null>} */
  async #problem() {
    try {
      await this.#ask();
      return null;
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      if (name === 'AbortError') return this.#away?.problem ?? null;
      return saysGone(error) ? message : null;
    }
  }
}
