import type { Steps } from '@agent-faculties/service-kit';
import { beginsToAsk, hasSubject, hasVerb } from '../../text/sentences/clauses.ts';
import { sentenceSpans } from '../../text/sentences/sentences.ts';

/** Characters of a claim; two of them fit the pair model. */
export const LONGEST_CLAIM = 320;
/** A sentence is divided into clauses before anything is cut off; longer ones are no sentences. */
const LONGEST_SENTENCE = 1_600;

const FENCE = /^(?:```|~~~)/;
/**
 * Lines, without the blanks around them, of code, tables, headings and rules: what somebody shows, not what somebody says. Code
 * is told by how a line ends or by what only code begins with; prose with the name of a function in it stays.
 */
const NO_PROSE = [
  /^(?:[{}()[\]<>|$@]|\/\/|\/\*|#|--\s|={3}|-{3}|_{3}|\*{3})/,
  /^(?:import|from\s+\S+\s+import|const|let|var|def|function|return|elif|except|print|console|npm|pip|curl|git|export)\b[^.!?]*$/,
  /^(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|JOIN)\b/,
  /[{};]$|=>|\w\([^()]{0,200}\)[:;]?$|^[\w.]+\s?[-+*]?=\s?\S|^["'][^"']{1,80}["']\s?[:,]|^[\w.[\]"']+\s?[:=]\s?[["'{(]/,
  /^(?:\*\*[^*]{1,200}\*\*:?|[^.!?]{1,80}:)$/,
];
const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
/** An item of a list, or a line with a label: "Error handling: catch what the server sends." */
const LISTED = /^(?:[-*+•]|\d{1,3}[.)])\s|^(?:\*\*)?[^.!?:]{1,60}:(?:\*\*)?\s/;
const EMPHASIS = /\*\*|__|`/g;

/** Where one clause may end and another begin. */
const BREAK = /;\s+|:\s+|\s[–—-]\s+|,\s+|\s+(?=(?:but|because|although|whereas)\s)/g;
const LINK =
  /^(?:and|but|so|yet|because|since|as|while|whereas|although|though|considering|given|especially|also|plus|then|that|or)\s+(?:(?:that|since|because|considering|given|so)\s+)?/i;
/** What joins a part to the one before it: it says nothing by itself. */
const CONTINUES =
  /^(?:which|who|whom|whose|where|when|like|such|including|for|with|without|in|on|at|to|of|by|from|into|than|per|plus|e\.g|i\.e|not|nor)\b/i;
const PRONOUN = /^(?:it|its|it's|she|he|they|her|his|their|this|that|these|those|there|which)\b/i;
const LEAST_WORDS = 2;

/** Lines or sentences that are read in one step, of some 5 ms. */
const STEP = 4_000;

/**
 * The prose of a message, in steps: without code, tables, headings and the marks of lists and emphasis.
 * @param about.lists false: without what stands in lists too; an assistant's lists are steps and options
 */
export function* proseInSteps(text: string, { lists }: { readonly lists: boolean }): Steps<string> {
  const prose: string[] = [];
  let isCode = false;
  for (const [at, untrimmed] of text.split('\n').entries()) {
    if (at % STEP === STEP - 1) yield;
    const line = untrimmed.trim();
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode && line !== '' && (lists || !LISTED.test(line)) && !NO_PROSE.some((form) => form.test(line))) {
      prose.push(line.replace(LIST_MARK, '').replace(EMPHASIS, ''));
    }
  }
  return prose.join('\n');
}

/**
 * The parts of a text that each say one thing, in order and in steps: its sentences, divided where a new subject and verb begin, without
 * the questions and requests. What begins with a pronoun takes along the part before, which says what the pronoun stands for.
 * @complexity O(characters)
 */
export function* claimsInSteps(text: string): Steps<string[]> {
  const claims: string[] = [];
  let before: string | null = null;
  for (const [at, { start, end }] of sentenceSpans(text, LONGEST_SENTENCE).entries()) {
    if (at % STEP === STEP - 1) yield;
    for (const clause of clausesOf(text.slice(start, end))) {
      const joined: string = before === null || !PRONOUN.test(clause) ? clause : `${before} ${clause}`;
      before = clause;
      if (!isAsked(clause)) claims.push(joined.length <= LONGEST_CLAIM ? joined : clause.slice(0, LONGEST_CLAIM));
    }
  }
  return claims;
}

/**
 * A message without the words that only say who it comes from: "Decided with Milo: the display gets a table", "The depot is haunted,
 * says Milo". Nothing is said of that person, and the pair model takes the name for a part of what is said.
 */
export function withoutSource(text: string): string {
  const settled = text.replace(SETTLED_WITH, '');
  const rest = (namesItsSubject(settled) ? settled : text).replace(ASKED_BY, '').replace(SAID_BY, '$<end>');
  return rest === text ? text : rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** "Spoke to Bea: has two tickets" and "Spoke to Bea: free on Friday" speak of her. */
function namesItsSubject(claim: string): boolean {
  return DETERMINED.test(claim) || (hasSubject(claim) && !ADVERB.test(claim));
}

const DETERMINED = /^(?:an?|the|our|all|both|each|every|some|any|no|we(?:['’]\p{L}+)?) /iu;
const ADVERB = /^(?:not|never|also|still|only|just|already|now) /i;
/** Nothing that follows takes up what stands before: "Agreed with Bea: she paints the hall" needs the name. */
const SETTLED_WITH =
  /^(?:decided|agreed|settled|arranged|discussed|talked|spoke|checked|confirmed|cleared|reviewed)(?: [a-z]+)? (?:with|to|by) [^\s:.!?]+(?: [^\s:.!?]+){0,2}: (?!(?:he|she|it|they|his|her|its|their|this|that|these|those)\b)/i;
const PERSON = String.raw`\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?`;
const SAID_BY = new RegExp(`, (?:says|said|according to) ${PERSON}(?<end>[.!]?)$`, 'u');
/** "When is the depot open? asks Milo": what follows the question is a sentence of its own, which asks nothing. */
const ASKED_BY = new RegExp(String.raw`(?<=\?["”’']?),? (?:asks|asked|says|said) ${PERSON}[.!]?$`, 'u');

/** Whether a claim speaks to its reader: what an assistant says so is advice. */
export function speaksToReader(claim: string): boolean {
  return /\b(?:you|your|yours|yourself|we|our|let['’]s)\b/i.test(claim);
}

function isAsked(clause: string): boolean {
  return clause.endsWith('?') || beginsToAsk(clause);
}

function clausesOf(sentence: string): string[] {
  const parts = sentence.split(BREAK);
  const clauses: string[] = [];
  let open = parts[0] ?? '';
  // Not asked of all that is open: that grows with each part, and no verb reaches over a break.
  let hasFinite = hasVerb(open);
  let at = open.length;
  for (const part of parts.slice(1)) {
    const start = sentence.indexOf(part, at);
    if (hasFinite && isClause(part)) {
      clauses.push(open);
      open = part;
      hasFinite = hasVerb(part);
    } else {
      open += sentence.slice(at, start) + part;
      hasFinite ||= hasVerb(part);
    }
    at = start + part.length;
  }
  clauses.push(open);
  return clauses
    .map((clause) => clause.replace(LINK, '').trim())
    .filter((clause) => clause.split(/\s+/).length >= LEAST_WORDS);
}

function isClause(part: string): boolean {
  if (beginsToAsk(part)) return true;
  const words = part.replace(LINK, '');
  return !CONTINUES.test(words) && hasVerb(words) && words.split(/\s+/).length >= LEAST_WORDS;
}
