/// <reference path="./stopword.d.ts" />
import { eng } from 'stopword';

/** Function words that the library's short list lacks, and frequent words of chats. "may" is not among them: it is a month. */
const MORE = `again against below down during few further having hers herself itself just myself no nor not off
  once ours ourselves own shall theirs themselves theirselves until upon us whom whose why will yes yours yourself
  yourselves above doing around let ok okay oh hey hi wow yeah thanks thank please`;

/** Words that do not tell the subject of a text, in lower case. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...eng, ...MORE.split(/\s+/)]);
