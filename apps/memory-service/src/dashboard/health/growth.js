/** How the store has grown. Pure. */

/** @typedef {{ since: string, until: string, lanes: { kind: string, counts: number[] }[] }} Timeline */

/** The end of each of so many spans, in epoch milliseconds. @param {Timeline} timeline @param {number} spans */
export function endsOf({ since, until }, spans) {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  return Array.from({ length: spans }, (_, place) => from + ((to - from) * (place + 1)) / spans);
}

/** How many memories of a kind there were at the end of each span. @param {Timeline} timeline @param {string} kind @param {number} spans @returns {number[]} */
export function sumsOf({ lanes }, kind, spans) {
  let sum = 0;
  return Array.from({ length: spans }, (_, place) => {
    for (const lane of lanes) if (lane.kind === kind) sum += lane.counts[place] ?? 0;
    return sum;
  });
}
