/** One line of an exposition: a value under its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  /** By the full name, such as `x_seconds_bucket`. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Reads the Prometheus text format 0.0.4 by its specification, strictly: HELP and TYPE before the samples, one family in one
 * piece, no sample twice, buckets that add up. @throws Error naming the line that breaks a rule
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  let current: { name: string; type: string; help: string; samples: Map<string, Sample[]> } | null = null;
  let help: { name: string; text: string } | null = null;
  const seen = new Set<string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    if (line === '') continue;
    const [, name = '', rest = ''] = /^# HELP (\S+) (.+)$/.exec(line) ?? [];
    if (name) {
      help = { name, text: rest };
      continue;
    }
    const [, typed, type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (typed) {
      if (help?.name !== typed) fail('TYPE without HELP before it');
      if (families.has(typed)) fail('a family twice');
      if (!SUFFIXES[type]) fail('unknown type');
      current = { name: typed, type, help: help?.text ?? '', samples: new Map() };
      families.set(typed, current);
      continue;
    }
    const [, full = '', labelText = '', valueText = ''] = SAMPLE.exec(line) ?? fail('no sample');
    if (!current?.name || !SUFFIXES[current.type]?.some((suffix) => full === current?.name + suffix)) {
      fail('a sample outside its family');
    }
    const labels = parseLabels(labelText, fail);
    const key = JSON.stringify([full, Object.entries(labels).sort()]);
    if (seen.has(key)) fail('a sample twice');
    seen.add(key);
    const samples = current?.samples.get(full) ?? [];
    samples.push({ labels, value: parseValue(valueText, fail) });
    current?.samples.set(full, samples);
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family);
  return families;
}

/** The value under these labels, or of all that have them among theirs when they are several. */
export function metric(families: Map<string, Family>, full: string, labels: Record<string, string> = {}): number {
  const name = families.has(full) ? full : full.replace(/_(bucket|sum|count)$/, '');
  const samples = families.get(name)?.samples.get(full) ?? [];
  const fitting = samples.filter((sample) =>
    Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  if (fitting.length === 0) throw new Error(`no ${full} with ${JSON.stringify(labels)}`);
  return fitting.reduce((sum, { value }) => sum + value, 0);
}

function parseLabels(text: string, fail: (why: string) => never): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const [whole, name = '', value = ''] = LABEL.exec(rest) ?? fail('broken labels');
    if (name in labels) fail('a label twice');
    labels[name] = value.replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function parseValue(text: string, fail: (why: string) => never): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  // Prometheus reads it in any case of letters.
  if (/^nan$/i.test(text)) return Number.NaN;
  const value = Number(text);
  return Number.isNaN(value) ? fail('no number') : value;
}

function checkHistogram(name: string, { samples }: Family): void {
  const counts = samples.get(`${name}_count`) ?? [];
  for (const { labels, value } of counts) {
    const isOurs = (sample: Sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text);
    const buckets = (samples.get(`${name}_bucket`) ?? []).filter(isOurs);
    const inOrder = buckets.toSorted((a, b) => bound(a) - bound(b)).map((bucket) => bucket.value);
    if (inOrder.some((count, i) => count < (inOrder[i - 1] ?? 0))) throw new Error(`${name}: buckets that shrink`);
    if (inOrder.at(-1) !== value) throw new Error(`${name}: the last bucket is not the count`);
  }
}

function bound({ labels }: Sample): number {
  return labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
}
