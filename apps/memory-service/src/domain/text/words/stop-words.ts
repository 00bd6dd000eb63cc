/// <reference path="./stopword.d.ts" />
import { eng } from 'stopword';

/**
 * Function words that the library's short list lacks, and frequent words of chats. "may" is not among them: it is a month. Nor are
 * "she", "its", "does", "when", "go" and their kin, which weigh little as they are: each group that was tried cost recall or silence in
 * some conversation of bench/memory/recall-ablation.mjs.
 */
const MORE = `again against below down during few further having hers herself itself just myself no nor not off
  once ours ourselves own shall theirs themselves theirselves until upon us whom whose why will yes yours yourself
  yourselves above doing around let ok okay oh hey hi wow yeah thanks thank please`;

/** Words that do not tell the subject of a text, in lower case. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...eng, ...MORE.split(/\s+/)]);
