/** The text format of Prometheus, as far as this service writes it. Pure. */

/** @typedef {{ value: (name: string, labels?: Record<string, string>) => number, sum: (ending: string) => number, quantile: (name: string, labels: Record<string, string>, share: number) => number | null }} Metrics */

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** @param {string} text @returns {Metrics} */
export function readMetrics(text) {
  const samples = text.split('\n').flatMap((line) => {
    const [, name, labels, value] = LINE.exec(line) ?? [];
    if (name === undefined) return [];
    const read = Object.fromEntries([...(labels ?? '').matchAll(LABEL)].map(([, key, content]) => [key, content]));
    return [{ name, labels: read, value: Number(value) }];
  });
  const fits = (/** @type {Record<string, unknown>} */ known, /** @type {Record<string, string>} */ wanted) =>
    Object.entries(wanted).every(([key, value]) => known[key] === value);
  const add = (/** @type {{ value: number }[]} */ some) => some.reduce((sum, { value }) => sum + value, 0);
  return {
    value: (name, labels = {}) => add(samples.filter((one) => one.name === name && fits(one.labels, labels))),
    sum: (ending) => add(samples.filter(({ name }) => name.endsWith(ending))),
    /** The bound of the bucket below which this share lies; null where there are no samples or it is beyond all bounds. */
    quantile(name, labels, share) {
      const buckets = samples
        .filter((one) => one.name === `${name}_bucket` && fits(one.labels, labels))
        .map((one) => ({
          bound: one.labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(one.labels.le),
          value: one.value,
        }))
        .sort((a, b) => a.bound - b.bound);
      const total = buckets.at(-1)?.value ?? 0;
      const bound = buckets.find(({ value }) => value >= share * total)?.bound;
      return total === 0 || bound === undefined || !Number.isFinite(bound) ? null : bound;
    },
  };
}
