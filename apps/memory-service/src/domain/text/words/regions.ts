/** Countries and continents, in which other places lie. What they are called, the runtime knows; newer ones say Türkiye. */
const ALSO_CALLED = 'eu uk us usa britain england scotland wales america holland turkey'.split(' ');
const CONTINENTS = ['002', '005', '009', '019', '142', '150', '419'];
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

let regions: ReadonlySet<string> | null = null;

/** Whether words name a country or a continent, in lower case and without an article. */
export function isRegion(name: string): boolean {
  // Not at the start, where the names of all countries take 10 ms.
  regions ??= namedRegions();
  return regions.has(name);
}

function namedRegions(): ReadonlySet<string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const codes = [...CONTINENTS, ...LETTERS.flatMap((one) => LETTERS.map((other) => one + other))];
  return new Set([...ALSO_CALLED, ...codes.flatMap((code) => names.of(code)?.toLowerCase() ?? [])]);
}
