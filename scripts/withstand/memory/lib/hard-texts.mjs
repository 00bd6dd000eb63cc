// Texts that a rule or a regular expression may take long over, each as long as a message may be.
const CHARACTERS = 200_000;

const filled = (part, length = CHARACTERS) =>
  part
    .repeat(Math.ceil(length / part.length))
    .slice(0, length)
    .trim();
const listed = (item, length = CHARACTERS) => {
  const parts = [];
  for (let number = 0, size = 0; size < length; number++) {
    const part = item(number);
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, length).toWellFormed().trim();
};
/** Base 26 in letters, so that each is a word of its own. */
const word = (number) => {
  let letters = '';
  for (let rest = number + 1; rest > 0; rest = Math.floor(rest / 26))
    letters += 'qazwsxedcrfvtgbyhnujmikolp'[rest % 26];
  return letters;
};
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const from = (code, count) => (number) => String.fromCodePoint(code + ((number * 7919) % count));

/** By name. */
export const HARD_TEXTS = {
  'one letter': filled('a'),
  'one capital': filled('A'),
  'one digit': filled('7'),
  'full stops': filled('.'),
  'question marks': filled('?'),
  'brackets that open': filled('('),
  'brackets that close': `a${filled(')', CHARACTERS - 1)}`,
  'square brackets': `a?${filled('[', CHARACTERS - 2)}`,
  'nested brackets': `${'['.repeat(CHARACTERS / 2)}${']'.repeat(CHARACTERS / 2)}`,
  quotes: filled('"'),
  'apostrophes in a word': filled("a'"),
  backticks: filled('`a'),
  'at signs': filled('a@'),
  'full stops in a word': filled('a.'),
  hyphens: filled('a-'),
  underscores: filled('_'),
  slashes: filled('a/'),
  'mixed joints': filled("a-./:@\\'"),
  'blanks inside': `a${' '.repeat(CHARACTERS - 2)}b`,
  'tabs and blanks': filled('a \t  '),
  'empty lines': `a${'\r\n'.repeat(CHARACTERS / 2 - 1)}b`,
  'empty lines before Chinese': `a${'\n'.repeat(49_000)}我 b`,
  'one letter a line': filled('a\r\n'),
  'one word a sentence': filled('No. '),
  'one sign a sentence': filled('.\t'),
  'small and capital letters': filled('aA'),
  'short words': filled('a '),
  'private parts': filled('          <private></private>'),
  'private parts between letters': filled('x <private>y</private>'),
  'many words': listed((n) => `${word(n)} `),
  'many names': listed((n) => `met ${capital(word(n))} and `),
  'names at the start of sentences': listed((n) => `${capital(word(n))} left. `),
  'shouted words': listed((n) => `${word(n).toUpperCase()} `),
  'many identifiers': listed((n) => `${word(n)}_${word(n + 7)}.${word(n + 3)}() `),
  'many short camels': listed((n) => `${capital(word(n))}${capital(word(n * 3))}`),
  'many numbers': listed((n) => `${n} `),
  'many dates': listed((n) => `on ${(n % 28) + 1} May ${1990 + (n % 40)} at 5:${10 + (n % 50)} pm `),
  'many sentences': listed((n) => `${capital(word(n))} pays ${n} euros for ${word(n * 31)} today. `),
  'many urls': listed((n) => `https://${word(n)}.example.com/${word(n * 7)}?q=${n} `),
  'many mentions': listed((n) => `@${word(n)} #${word(n + 1)} `),
  'stemmed words': listed((n) => `${word(n)}ationalizations `),
  'one Chinese letter': filled('我'),
  'many Chinese letters': listed(from(0x4e00, 20_000)),
  'Chinese with full stops': filled('我在北京工作。'),
  'Chinese and Latin in turns': filled('我a'),
  'Hangul syllables': listed(from(0xac00, 11_000)),
  'Hangul letters': filled('\u1100\u1161\u11a8'),
  Thai: filled('ภาษาไทย'),
  'letters with marks': filled('e\u0301'),
  'one letter with many marks': `a${filled('\u0301\u0323', CHARACTERS - 1)}`,
  'marks in descending classes': `a${filled('\u0315\u0300\u05b0\u0327\u0334', CHARACTERS - 1)}`,
  'forms that grow': filled('\ufdfa'),
  'forms that grow to letters': filled('\u3316'),
  'ligatures and squares': filled('ﬁ㎒½'),
  'zero-width spaces': `a${'\u200b'.repeat(CHARACTERS - 2)}b`,
  'zero-width joiners': `a${'\u200d'.repeat(CHARACTERS - 2)}b`,
  'byte order marks': `a${'\ufeff'.repeat(CHARACTERS - 2)}b`,
  'right-to-left marks': `a${'\u202e'.repeat(CHARACTERS - 2)}b`,
  emoji: filled('😀'.repeat(8)),
  'joined emoji': listed(() => '👩‍👩‍👧‍👦'),
  flags: listed(from(0x1f1e6, 26)),
  'mathematical capitals': listed(from(0x1d400, 26)),
  'capital I with a dot': filled('İ'),
  'sharp s': filled('ß'),
  'ligatures in capitals': filled('Aﬃ'),
  'no-break spaces': `a${'\u00a0'.repeat(CHARACTERS - 2)}b`,
  controls: filled('a\u0001'),
  'private use': listed(from(0xe000, 6_000)),
  'halves of capitals': filled('A. '),
  initials: filled('J.R.'),
  possessives: filled("Ann's "),
  'not a question': `who ${filled('a ', CHARACTERS - 4)}`,
  'a question with one long word': `who ${filled('a', CHARACTERS - 4)}`,
  'one word in a short message': `Note what ${filled('x ', 600)} 7`,
  'the same short message with another value': `Note what ${filled('x ', 600)} 8 not now`,
  'commas and ifs': filled(', '),
  ors: filled('and if only '),
  'many parts and no verb': filled('yesterday but '),
  'year after year': filled('in 2023 '),
  'items of a list': filled('- a\n1. b\n'),
  'full stops and blanks': filled('. '),
  'question marks and blanks': `who is ${filled('? ', CHARACTERS - 7)}x`,
  decimals: filled('1.'),
  amounts: filled('€1,'),
  'been, without since': filled('ce been '),
  'when again and again': filled('when h '),
  'who again and again': filled('who do '),
  'moved from nowhere': filled(' moved d'),
  base64: listed((n) =>
    Buffer.from(`${n * 7919}`)
      .toString('base64')
      .replaceAll('=', 'A'),
  ),
};
