import { hasVerb } from '../../text/sentences/clauses.ts';
import { LABELS } from '../../text/values/version-or-identifier.ts';

/** What names one of several things of a kind: a ticket, an incident, a build, a commit, a version. */
export interface Identifier {
  /** The kind of thing, such as `inc` for INC-12 and for Incident 12; '#' where only "#12" is said. */
  readonly kind: string;
  readonly value: string;
}

interface Found extends Identifier {
  readonly start: number;
  readonly end: number;
}

/** Further words before a number or a code that names one of several things. */
const MORE_LABELS = ['pull request', 'merge request'].concat(
  'incident commit run deploy deployment job sprint pipeline pr mr'.split(' '),
);
/** Two words for one kind. */
const KINDS = new Map([
  ['incident', 'inc'],
  ['pull request', 'pr'],
  ['merge request', 'mr'],
  ['deployment', 'deploy'],
  ['release', 'version'],
  ['v', 'version'],
]);
/** Before a number these say how many, or stand after another label: order number 12. */
const NO_LABELS = new Set(['no', 'number', 'v']);
const EACH_LABEL = [...MORE_LABELS, ...LABELS].filter((label) => !NO_LABELS.has(label));
const LABEL_SET = new Set(EACH_LABEL);
/** A number, or a code with a digit; no measure such as 5km. */
const CODE = String.raw`(?!\d+(?:\.\d+)?(?:ms|s|min|hr?s?|k?g|[ckm]?m|[kmgt]b|[ap]m|k|x|st|nd|rd|th)\b)(?=[a-z]*\d)[a-z\d]+`;
const HEXADECIMAL = '[a-f]{4,40}';
const FORMS = [
  String.raw`commit\s+(?<commit>[a-f\d]{4,40})`,
  String.raw`(?<label>${EACH_LABEL.join('|')})(?:\s+(?:no\.?|nr\.?|number|id))?\s*[#!]?(?<code>${CODE}(?:\.\d+)*)`,
  String.raw`(?<prefix>[a-z]{2,12})[-_#](?<key>${CODE}(?:[-_/.]\d[a-z\d]*)*|${HEXADECIMAL})`,
  String.raw`v(?<version>\d+(?:\.\d+)*)`,
  String.raw`(?<dotted>\d+(?:\.\d+){2,})`,
  String.raw`(?=[a-f]*\d)(?=\d*[a-f])(?<hash>[\da-f]{7,40})`,
  String.raw`#(?<numbered>\d+)`,
  String.raw`(?<lettered>group|team|class|section|option|plan|variant|building|block|wing|hall|arm)\s+(?<letter>[a-z])`,
];
const IDENTIFIER = new RegExp(
  String.raw`(?<![\p{L}\d_#!./-])(?:${FORMS.join('|')})(?![\p{L}\d_%€$]|[:/.-][\p{L}\d])`,
  'giu',
);
/** What has a number in its name, and is a thing that is chosen: "UTF-8 is used". */
const NAMED_BY_NUMBER = new Set('aes base covid crc gpt http ipv iso md rsa sha ssl tls usb utf'.split(' '));

/** The part of a clause where it begins anew: after a colon, a semicolon or a dash. */
const BREAK = /[:;]\s|\s[–—-]\s/g;
/** What may stand before a subject at the beginning of a sentence. */
const OPENING =
  /^[\s([*>"'“‘#-]*(?:(?:in|on|at|for|of|with|under|during|about|re|regarding|the|a|an|this|that|my|our|your|ticket|issue)\s+)*[([]?$/i;
/** The identifier then says when or why, and another word is the subject: "since PR 7 the timeout is 5 s". */
const ADJUNCT =
  /\b(?:after|since|before|until|because|due|thanks|following|by|from|to|despite|unlike|like|via|per|than|as|if|when|while)\b/i;
/** "INC-12 is the ticket for the outage", "v2.3 is live": the identifier is then the value of what the rest describes. */
const IDENTIFIES =
  /^\W*(?:(?:is|was|are|were|became|becomes|remains|has been|will be)\s+(?:(?:still|now|currently|not)\s+)*(?:the|our|my|your|their|his|her|its|what|where|who|live|current|latest|newest|default|active|deployed|installed|running|used|in (?:production|prod|use|force))\b|(?:runs|went live)\b)/i;
/** Verbs of what a build, a commit or a test does, besides the usual ones. */
const DOES =
  /^\W*(?:passes|fails|broke|breaks|touches|fixes|adds|removes|changes|blocks|reverts|introduces|brings|contains|includes|covers|tracks|reports|describes|hangs|crashes|ships|launches)\b/i;
/** At the beginning these may be orders: "Run 4 servers". */
const ORDER =
  /^(?:build|run|order|issue|release|change|book|stage|deploy|commit|plot|track|round|case|stand|exercise|test)\b/i;
const ENDS_LABEL = /^[\])]*(?:\s*[:–—]|\s-\s)/;
const SAYS_NOTHING = /^[^\p{L}\d]*$/u;
/** Words before an identifier in a heading: "Postmortem of INC-12". */
const WORDS_OF_HEADING = 3;

/** All identifiers in a text, in order. */
export function identifiersIn(text: string): Identifier[] {
  return foundIn(text).map(({ kind, value }) => ({ kind, value }));
}

/** The identifiers that a sentence is about: they stand before its verb, or before a colon. */
export function subjectsOf(sentence: string): Identifier[] {
  return foundIn(sentence).filter((found) => isSubject(sentence, found));
}

/**
 * The identifiers that a message begins with, and that all of it is about: "INC-12: ...", or a first line of "Incident 12".
 * @param first its first sentence
 * @param about.isAll whether it has no other sentence; one without a colon is then no heading
 */
export function headingOf(first: string, { isAll }: { readonly isAll: boolean }): Identifier[] {
  return foundIn(first).filter(({ start, end }) => {
    const [before, after] = [first.slice(0, start), first.slice(end)];
    const isShort = (before.match(/\p{L}+/gu) ?? []).length <= WORDS_OF_HEADING;
    const isPlain = isShort && !hasVerb(before) && !ADJUNCT.test(before) && !before.includes(':');
    return isPlain && (ENDS_LABEL.test(after) || (!isAll && SAYS_NOTHING.test(after)));
  });
}

/** Whether what follows a name says which one it is: "is the ticket for the outage", "is live". */
export function tellsWhichOne(after: string): boolean {
  return IDENTIFIES.test(after);
}

/** Whether two lists name things of one kind, and none in common. */
export function nameOthers(a: readonly Identifier[], b: readonly Identifier[]): boolean {
  return a.some((one) => b.some(({ kind }) => kind === one.kind)) && !nameTheSame(a, b);
}

export function nameTheSame(a: readonly Identifier[], b: readonly Identifier[]): boolean {
  return a.some((one) => b.some((other) => areSame(one, other)));
}

/** Commits and versions may be shortened: 3f2a9c1, version 2 of 2.3. */
function areSame(a: Identifier, b: Identifier): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'commit') return a.value.startsWith(b.value) || b.value.startsWith(a.value);
  return `${a.value}.`.startsWith(`${b.value}.`) || `${b.value}.`.startsWith(`${a.value}.`);
}

function foundIn(text: string): Found[] {
  return [...text.matchAll(IDENTIFIER)].flatMap((match) => {
    const named = namedBy(match.groups as Groups);
    return named ? [{ ...named, start: match.index, end: match.index + match[0].length }] : [];
  });
}

type Groups = Readonly<Record<string, string | undefined>>;

function namedBy({
  commit,
  hash,
  label,
  code,
  prefix,
  key,
  version,
  dotted,
  numbered,
  lettered,
  letter,
}: Groups): Identifier | null {
  if (commit ?? hash) return { kind: 'commit', value: lower(commit ?? hash) };
  if (label) return { kind: kindOf(label), value: lower(code) };
  if (prefix) return isKey(prefix) ? { kind: kindOf(prefix), value: lower(key) } : null;
  // "Class a" is none.
  if (letter) return letter === lower(letter) ? null : { kind: kindOf(lettered ?? ''), value: lower(letter) };
  if (numbered) return { kind: '#', value: numbered };
  return { kind: 'version', value: lower(version ?? dotted) };
}

/** Whether a word before a hyphen and a number is the key of a tracker or a label: OPS-12, build-12; not mid-2024. */
function isKey(prefix: string): boolean {
  const isCapital = prefix === prefix.toUpperCase() && !NAMED_BY_NUMBER.has(lower(prefix));
  return isCapital || LABEL_SET.has(lower(prefix));
}

function kindOf(label: string): string {
  const kind = lower(label).replace(/\s+/g, ' ');
  return KINDS.get(kind) ?? kind;
}

function lower(text: string | undefined): string {
  return (text ?? '').toLowerCase();
}

function isSubject(sentence: string, { start, end }: Found): boolean {
  const [before, after] = [sentence.slice(0, start), sentence.slice(end)];
  const clause = before.split(BREAK).at(-1) as string;
  if (SAYS_NOTHING.test(after) || hasVerb(clause) || ADJUNCT.test(clause) || tellsWhichOne(after)) return false;
  if (hasVerb(after) || DOES.test(after) || ENDS_LABEL.test(after)) return true;
  return OPENING.test(before) && !ORDER.test(sentence.slice(start, end));
}
