import { cutBefore, type Span, sentenceSpans } from '../text/sentences/sentences.ts';

/** all-MiniLM-L6-v2 was trained on 128 wordpieces and cuts at 256; the estimate below is rough, so this leaves some room. */
const TOKENS_PER_CHUNK = 200;
/** 64 vectors of 384 numbers take 98 kB. Words find the rest of a message of more than about 50,000 characters. */
const MAX_CHUNKS = 64;
/** The share of a chunk that may repeat the end of the chunk before, so that a thought across the border is in one chunk. */
const OVERLAP = 0.15;
/** Tokens per character: English has about four letters to a wordpiece; of other scripts English models know mostly single characters. */
const LATIN_CHARACTERS_PER_TOKEN = 4;
const LAST_LATIN = 0x24f;

/**
 * Parts of a text that fit an embedding model, in order: whole sentences as far as they fit, else words, else
 * characters. A short text is one chunk, trimmed. Of a text with more than `maxChunks` chunks, evenly spread ones are
 * taken, so that each region has a vector.
 * @param limits.tokensPerChunk wordpieces, estimated from the characters; at least 16
 */
export function splitIntoChunks(
  text: string,
  { tokensPerChunk = TOKENS_PER_CHUNK, maxChunks = MAX_CHUNKS } = {},
): string[] {
  const trimmed = text.trim();
  // No text has more tokens than characters.
  if (trimmed.length <= tokensPerChunk) return [trimmed];
  const ruler = new TokenRuler(trimmed);
  if (ruler.tokens({ start: 0, end: trimmed.length }) <= tokensPerChunk) return [trimmed];
  const chunks = packed(trimmed, ruler, tokensPerChunk);
  return evenlySpread(chunks, maxChunks).map(({ start, end }) => trimmed.slice(start, end));
}

/** Fills the chunks with sentences in turn. Where the last sentence of a chunk is short, the next chunk repeats it. */
function packed(text: string, ruler: TokenRuler, most: number): Span[] {
  const chunks: Span[] = [];
  let chunk: Span | null = null;
  let last: Span | null = null;
  for (const span of fittingSpans(text, ruler, most)) {
    if (chunk && ruler.tokens({ start: chunk.start, end: span.end }) > most) {
      chunks.push(chunk);
      const isShort: boolean = last !== null && ruler.tokens(last) <= most * OVERLAP;
      const repeats = last && isShort && ruler.tokens({ start: last.start, end: span.end }) <= most;
      chunk = repeats ? last : null;
    }
    chunk = { start: chunk?.start ?? span.start, end: span.end };
    last = span;
  }
  if (chunk) chunks.push(chunk);
  return chunks;
}

/** The sentences; one that is too long is cut. */
function* fittingSpans(text: string, ruler: TokenRuler, most: number): Generator<Span> {
  for (const span of sentenceSpans(text, most * LATIN_CHARACTERS_PER_TOKEN)) {
    for (let start = span.start; start < span.end; ) {
      const limit = Math.min(span.end, ruler.endOf(start, most));
      const end = limit === span.end ? limit : cutBefore(text, start, limit);
      yield { start, end };
      start = end;
    }
  }
}

function evenlySpread(chunks: readonly Span[], most: number): readonly Span[] {
  if (chunks.length <= most) return chunks;
  const step = (chunks.length - 1) / Math.max(1, most - 1);
  const stored = new Set(Array.from({ length: most }, (_, index) => Math.round(index * step)));
  return chunks.filter((_, index) => stored.has(index));
}

/** Estimates the wordpieces of any part of a text in constant time. */
class TokenRuler {
  /** For each character the tokens before it, in quarters. */
  readonly #before: Uint32Array;

  constructor(text: string) {
    this.#before = new Uint32Array(text.length + 1);
    let sum = 0;
    for (let at = 0; at < text.length; at++) {
      sum += text.charCodeAt(at) > LAST_LATIN ? LATIN_CHARACTERS_PER_TOKEN : 1;
      this.#before[at + 1] = sum;
    }
  }

  tokens({ start, end }: Span): number {
    return ((this.#before[end] ?? 0) - (this.#before[start] ?? 0)) / LATIN_CHARACTERS_PER_TOKEN;
  }

  /** The furthest end of a part that starts here and has at most this many tokens. */
  endOf(start: number, tokens: number): number {
    let end = Math.min(this.#before.length - 1, start + tokens * LATIN_CHARACTERS_PER_TOKEN);
    // Only other scripts go back, and then each step gains a whole token.
    while (this.tokens({ start, end }) > tokens) end -= Math.ceil(this.tokens({ start, end }) - tokens);
    return Math.max(end, start + 1);
  }
}
