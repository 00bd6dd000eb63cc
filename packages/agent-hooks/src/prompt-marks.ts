/** What the user wants of a memory, said by a word of the prompt. */
export interface MarkedPrompt {
  /** `#skip`: nothing of this prompt and its reply is stored, and nothing is recalled for it. */
  readonly skips: boolean;
  /** `#remember`: this matters. */
  readonly remembers: boolean;
  /** Without the marks. */
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
