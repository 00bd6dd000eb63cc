/** password: people choose it, any word; other credentials: machines draw them at random. */
export type CredentialKind = 'password' | 'credential';

/** A place in a text where the name of a credential stands. */
export interface CredentialName {
  readonly kind: CredentialKind;
  /** Where the whole name begins and ends: DB_PASSWORD for the word PASSWORD. */
  readonly start: number;
  readonly end: number;
}

/** Words that a name of a credential has in it, in lower case. */
export const CREDENTIAL_WORDS: Readonly<Record<string, CredentialKind>> = {
  password: 'password',
  passwd: 'password',
  passphrase: 'password',
  passcode: 'password',
  passwort: 'password',
  kennwort: 'password',
  wachtwoord: 'password',
  senha: 'password',
  pwd: 'password',
  secret: 'credential',
  token: 'credential',
  credential: 'credential',
  apikey: 'credential',
  key: 'credential',
};

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** "key" alone says nothing; behind one of these it is a credential. */
const KEY_OF = setOf(
  'api access private auth signing signature encryption decryption master account shared storage service admin session secret deploy webhook ssh hmac cipher crypto',
);
/** Tokens that are no credentials: of lists, of language models, of designs, of parsers; and what is done with credentials. */
const NO_CREDENTIAL_BEFORE = setOf(
  'page next prev continuation cancelation cancellation cancel pagination public max min num total prompt completion input output reasoning cached used per sync resume cursor design syntax stop eos bos pad unk sep mask special lex parse no is has use with forgot reset show hide change validate verify check compare hash missing invalid expired',
);
/** A name that ends in one of these holds something about the credential. */
const ABOUT = setOf(
  'hash hashed hasher digest file files path paths dir url urls uri endpoint id ids name names type types count counts counter limit limits length len size policy policies expire expires expiry expiration expired ttl age min max regex pattern field fields input label placeholder hint reset rotation rotate manager provider store storage scope scopes format version prefix suffix status state error errors message valid validation validator invalid algorithm alg ref arn usage budget bucket rate window required enabled disabled strength protected based only at in on by for from iterations rounds generator getter source detection scanning scanner review handling set is prompt',
);
/** Characters of a name on either side of a word. */
const SPREAD = 48;

/** The name of a credential at a word, or null, and where the next name may begin. */
export interface NameReading {
  readonly name: CredentialName | null;
  readonly resume: number;
}

/** Reads the name that the word at `start` is part of. */
export function readName(text: string, start: number, word: string): NameReading {
  const wordEnd = start + word.length;
  let end = wordEnd;
  while (end < text.length && end - wordEnd < SPREAD && isNameCharacter(text.charCodeAt(end))) end++;
  if (end > wordEnd && !isEndingOfCredential(text, wordEnd, end))
    return { name: null, resume: lettersEnd(text, wordEnd, end) };
  let nameStart = start;
  while (nameStart > 0 && start - nameStart < SPREAD && isNameCharacter(text.charCodeAt(nameStart - 1))) nameStart--;
  const before = lastWord(text.slice(nameStart, start));
  const isNone =
    NO_CREDENTIAL_BEFORE.has(before) ||
    (word === 'key' && !KEY_OF.has(before === '' ? wordBefore(text, start) : before));
  return {
    name: isNone ? null : { kind: CREDENTIAL_WORDS[word] as CredentialKind, start: nameStart, end },
    resume: end,
  };
}

/** Of DB_PASSWORD_2 and secretAccessKey, and not of tokenizer, password_hash or TOKEN_URL. */
function isEndingOfCredential(text: string, wordEnd: number, end: number): boolean {
  const ending = text.slice(wordEnd, end);
  if (/^[sS]?\d*$/.test(ending)) return true;
  if (ABOUT.has(lastWord(ending))) return false;
  if (!/^s?[a-z]/.test(ending) || /^s?(?:[-_0-9A-Z]|$)/.test(ending)) {
    // In capitals nothing distinguishes TOKENIZER from TOKEN.
    return (
      !/^[A-Z]/.test(ending) ||
      !/[A-Z]/.test(text.charAt(wordEnd - 1)) ||
      CREDENTIAL_WORDS[ending.toLowerCase()] !== undefined
    );
  }
  return CREDENTIAL_WORDS[ending] !== undefined;
}

function lettersEnd(text: string, from: number, end: number): number {
  let index = from;
  while (index < end && /[A-Za-z]/.test(text.charAt(index))) index++;
  return index;
}

/** Letters, digits, _ and - */
export function isNameCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** In lower case, without signs and numbers behind it: "file" of passwordFile, PASSWORD_FILE and password-file2. */
function lastWord(name: string): string {
  let end = name.length;
  while (end > 0 && !isLetter(name.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > 0 && isLetter(name.charCodeAt(start - 1))) {
    start--;
    const isCapital = name.charCodeAt(start) <= 0x5a;
    // A capital behind a small letter begins a word.
    if (isCapital && start > 0 && name.charCodeAt(start - 1) >= 0x61) break;
  }
  return name.slice(start, end).toLowerCase();
}

/** The word in front of a blank: "api" of "api key". */
function wordBefore(text: string, start: number): string {
  return text.charAt(start - 1) === ' ' ? lastWord(text.slice(Math.max(0, start - SPREAD), start)) : '';
}

/** What a field or variable of this name holds; null when it is not a credential. */
export function credentialKindOf(name: string): CredentialKind | null {
  const lower = name.slice(0, 2 * SPREAD).toLowerCase();
  let kind: CredentialKind | null = null;
  for (const word of Object.keys(CREDENTIAL_WORDS)) {
    const start = lower.lastIndexOf(word);
    if (start < 0) continue;
    const found = readName(name, start, word).name;
    if (found && found.end === name.length && kind !== 'password') kind = found.kind;
  }
  return kind;
}
