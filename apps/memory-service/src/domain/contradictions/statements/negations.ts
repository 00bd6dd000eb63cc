import type { Word } from '../../text/words/words.ts';

const NEGATION =
  /^(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|lacks?|lacked|lacking|fails?|failed|refus(?:es|ed|ing)|refuse|stopped|quit|absent|isnt|dont|doesnt|didnt|cant|wont|wasnt|arent|werent|hasnt|havent|zero)$|n['’]t$/;
/** "No doubt", "not only", "no later than", "not sure": nothing is denied. */
const NO_DENIAL = new Set(
  'only mind doubt problem wonder matter worries later earlier more less least just sure certain'.split(' '),
);

/** Positions of the words that deny something. */
export function negationsIn(text: string, words: readonly Word[]): number[] {
  const found: number[] = [];
  for (const [at, { lower }] of words.entries()) {
    if (NEGATION.test(lower) && !NO_DENIAL.has(words[at + 1]?.lower ?? '') && !isLifted(words, at)) found.push(at);
  }
  return /^no\b[,.!]/i.test(text) ? found.slice(1) : found;
}

const UNTIL = new Set(['until', 'till']);
const EXCEPT = new Set(['except', 'but']);
/** The words between "not" and "until". */
const LIFTED_WITHIN = 8;

/** "Not ready until Friday" says when it is ready, "nobody but Ann" says who. */
function isLifted(words: readonly Word[], negation: number): boolean {
  const next = words.slice(negation + 1, negation + 1 + LIFTED_WITHIN).map(({ lower }) => lower);
  return next.some((word) => UNTIL.has(word)) || EXCEPT.has(next[next[0] === 'one' ? 1 : 0] ?? '');
}

/** The number of words after a negation that it may negate. */
const REACH = 4;
const ENDS_REACH = /[,;:.!?—–]/;
const LINKS = new Set(['but', 'so', 'because', 'although', 'though', 'while', 'since']);

/** Positions of the words that these negations may negate. */
export function reachOf(text: string, words: readonly Word[], negations: readonly number[]): Set<number> {
  const reach = new Set<number>();
  for (const negation of negations) {
    let content = 0;
    for (let at = negation + 1; at < words.length && content < REACH; at++) {
      const gap = text.slice((words[at - 1] as Word).end, (words[at] as Word).start);
      if (ENDS_REACH.test(gap) || LINKS.has((words[at] as Word).lower)) break;
      reach.add(at);
      if ((words[at] as Word).isContent) content++;
    }
  }
  return reach;
}
