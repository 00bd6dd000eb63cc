import * as en from 'chrono-node/en';

/** Any character beyond Latin-1 that is no letter, digit or mark of a date: to an expression the text ends before it. */
const WIDE = '漢';

/**
 * Chrono's parser, with expressions that see wide text alone. The engine compiles an expression for narrow text and for wide text
 * apart, and two of these take it 50 ms in one turn of the event loop for narrow text, 10 ms for wide text.
 */
export const dateParser = new en.Chrono({
  parsers: en.casual.parsers.map(
    (parser): en.Parser => ({
      // `exec` is all that Chrono does with a pattern.
      pattern: (context) => {
        const pattern = parser.pattern(context);
        return { exec: (text: string) => pattern.exec(text + WIDE) } as RegExp;
      },
      extract: (context, match) => parser.extract(context, match),
    }),
  ),
  refiners: en.casual.refiners,
});

/**
 * Makes the engine compile the regular expressions of the parser. It does so on their second use, which would block the requests of
 * others for 50 ms: here it is one parser a step.
 */
export async function warmUpTimes(nextStep: () => Promise<void>): Promise<void> {
  for (const parser of dateParser.parsers) {
    const alone = new en.Chrono({ parsers: [parser], refiners: [] });
    await nextStep();
    for (const _ of ['first', 'second']) alone.parse('on 3 May');
  }
}
