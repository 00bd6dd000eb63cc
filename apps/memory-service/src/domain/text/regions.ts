/** Countries and continents, in which other places lie. What they are called, the runtime knows; newer ones say Türkiye. */
const REGIONS = new Set('eu uk us usa britain england scotland wales america holland turkey'.split(' '));

const CONTINENTS = ['002', '005', '009', '019', '142', '150', '419'];
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
for (const code of [...CONTINENTS, ...LETTERS.flatMap((one) => LETTERS.map((other) => one + other))]) {
  const name = names.of(code);
  if (name !== undefined) REGIONS.add(name.toLowerCase());
}

/** Whether words name a country or a continent, in lower case and without an article. */
export function isRegion(name: string): boolean {
  return REGIONS.has(name);
}
