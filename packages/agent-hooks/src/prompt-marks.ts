/** A prompt and the marks that its user wrote into it. */
export interface MarkedPrompt {
  /** `#skip`: neither the prompt nor its reply is stored, and nothing is recalled. */
  readonly skips: boolean;
  /** `#remember`: the prompt is important. */
  readonly remembers: boolean;
  /** The prompt without the marks. */
  readonly text: string;
}

/** Whole words: "#skipping" and "a#skip" are not marks. */
const MARK = /(?<!\S)#(skip|remember)(?!\S)/gi;

/** Reads the user's own marks. @complexity O(characters) */
export function readMarks(prompt: string): MarkedPrompt {
  const marks = new Set<string>();
  const text = prompt.replace(MARK, (_whole, word: string) => {
    marks.add(word.toLowerCase());
    return '';
  });
  return { skips: marks.has('skip'), remembers: marks.has('remember'), text: text.trim() };
}
