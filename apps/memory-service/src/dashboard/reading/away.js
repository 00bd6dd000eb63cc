/** Whether the service answers, while there is no stream that tells. */

/** The first question after the stream broke: soon, so that the page says quickly that the service is gone. */
const FIRST_MS = 800;
const AGAIN_MS = 5_000;
/** Without an answer, or with that of a gateway in the place of the service. */
const GONE = [0, 502, 503, 504];

/** @param {unknown} error */
export const saysGone = (error) => GONE.includes(/** @type {any} */ (error)?.status);

/** @param {{ ask: () => Promise<unknown>, onChange: (isBack: boolean) => void }} how `ask` throws where there is no answer */
export function createAway({ ask, onChange }) {
  /** @type {import('../shared/away-banner.js').Away | null} */
  let away = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  async function look() {
    const mine = timer;
    const problem = await ask().then(
      () => null,
      (error) => {
        if (error.name === 'AbortError') return away?.problem ?? null;
        return saysGone(error) ? error.message : null;
      },
    );
    if (mine !== timer) return;
    timer = undefined;
    if (problem === null) return back();
    away = { problem, sinceMs: away?.sinceMs ?? Date.now() };
    timer = setTimeout(look, AGAIN_MS);
    onChange(false);
  }

  function back() {
    clearTimeout(timer);
    timer = undefined;
    const wasAway = away !== null;
    away = null;
    if (wasAway) onChange(true);
  }

  return {
    now: () => away,
    /** Something was not answered; the service is asked until it answers. */
    suspected() {
      timer ??= setTimeout(look, FIRST_MS);
    },
    back,
  };
}
