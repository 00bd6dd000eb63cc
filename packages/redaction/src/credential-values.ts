import type { CredentialKind } from './credential-names.ts';

/** How a value stands in its text. */
export interface Written {
  readonly kind: CredentialKind;
  readonly isQuoted: boolean;
  /** NAME=value, as in an environment file: the name in capitals and no space around the sign. */
  readonly isEnvironment: boolean;
  /** Nothing follows on its line, or a sign that ends values. */
  readonly isAlone: boolean;
}

const PLACEHOLDER =
  /^(?:\[REDACTED:|\?|\$\{|\$\(|\{\{|<|%[({A-Za-z]|\*{2,}|[xX]{3,}|\.{2,}|…|#\{|@\{|!vault|ENC\[|op:\/\/|vault:|ssm:|arn:|file:|https?:|secrets?\.|env[.:(]|process\.env|os\.(?:environ|getenv)|System\.getenv|import\.meta|your[-_ ]|my[-_ ](?:secret|token|password|key|api)|some[-_ ]|insert[-_ ]|replace[-_ ]|change[-_ ]?me|example|placeholder|dummy|redacted|masked|hidden|todo|tbd|fixme|n\/a$|test$|foo|bar$|baz$)/i;
/** Words in the place of a value that are no secrets: types, states, names of the thing itself. */
const ORDINARY: ReadonlySet<string> = new Set(
  (
    'string str text number int integer bool boolean object array any unknown void char varchar bytes byte buffer null nil none undefined true false ' +
    'required optional missing invalid valid expired empty wrong correct incorrect unset present absent needed mandatory forbidden denied rejected accepted ' +
    'hidden visible private public protected readonly secure insecure encrypted hashed stored saved set reset changed rotated revoked generated random ' +
    'default value values input output name user username admin root guest email login logout signin auth authentication authorization basic bearer digest ' +
    'password passwords passwd passphrase passcode pwd pass secret secrets token tokens key keys apikey credential credentials kennwort passwort contraseña senha ' +
    'this that self args argv params param config settings options request response body header headers query form data result line prompt ask getpass stdin ' +
    'function async await return const let var new type interface class enum static final readonly record map list dict set tuple option some error ok ' +
    'enabled disabled yes no on off ok unchanged same different unknown pending ready done failed success plain plaintext raw hex base64 utf8 ascii binary ' +
    'string? str? secretstr securestring password! credentials! char[] byte[] string[] reference vault keychain keyring manager provider service'
  ).split(' '),
);
/** sha-256, base64-encoded, oauth2, v2: words with digits that people write about credentials. */
const TECHNICAL =
  /^(?:v\d[\d.]*|p\d{2}|s3|ec2|k8s|[2m]fa|web3|auth0|log4j|neo4j|i18n|x86|x\.?509|(?:sha|md|aes|des|rs|es|hs|ps|ed|rsa|ecdsa|utf|base|oauth|https?|tls|ssl|ipv|argon|pbkdf|bcrypt|scrypt|rfc|iso|ascii|saml|jwt|pkcs|gcm|hmac|kdf|fido|otp|totp|hotp|crc|uuid|unicode|latin)[-_#]?\d*[a-z]{0,2}(?:[-_/]\d+)?)(?:[-_/][a-z]+){0,3}$/i;
/** "32-byte", "8-char", "12+", "1.2.3", "2024-01-01", "3600s", "50%". */
const AMOUNT =
  /^[~^<>=≥≤v]*[\d.,:_/+-]+(?:[-–]?(?:bytes?|bits?|chars?|characters?|digits?|letters?|words?|ms|s|m|h|d|secs?|mins?|seconds?|minutes?|hours?|days?|times|[kmg]i?b|k|x|px|st|nd|rd|th))?%?\+?$/i;
/** $NAME of a shell, and no $ecret12. */
const VARIABLE = /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)$/;
/** a.b.c, fn(x), a[b], a->b, a::b */
const CODE = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+$|[([{]|=>|->|::/;
const PATH = /^(?:\.{0,2}|~|[A-Za-z]:)[\\/][\w.@%+~/\\-]*$/;
const HAS_LETTER = /\p{L}/u;
const HAS_DIGIT = /\d/;
const HAS_SIGN = /[!@#$%^&*?~+=|\\/]/;
const LEAST_PASSWORD = 4;
const LEAST_CREDENTIAL = 6;

/** Whether `name = value` gives a secret away. */
export function isSecretValue(value: string, { kind, isQuoted, isEnvironment, isAlone }: Written): boolean {
  const least = kind === 'password' ? LEAST_PASSWORD : LEAST_CREDENTIAL;
  if (value.length < least || isPlaceholder(value)) return false;
  if (!isQuoted && CODE.test(value)) return isEnvironment && isRandom(value);
  if (PATH.test(value) && !isRandom(value)) return false;
  if (/\s/.test(value)) return isPassphrase(value);
  const hasDigit = HAS_DIGIT.test(value);
  const hasLetter = HAS_LETTER.test(value);
  if (kind === 'password') {
    if (!hasLetter) return (isQuoted || isEnvironment || isAlone) && hasDigit && /^[\d!@#$%^&*-]{4,}$/.test(value);
    if (TECHNICAL.test(value) && !HAS_SIGN.test(value) && !isRandom(value)) return false;
    if (hasDigit || HAS_SIGN.test(value)) return isQuoted || isEnvironment || !isIdentifier(value) || isAlone;
    // Letters alone: a chosen word, or a name in code.
    if (isQuoted || isEnvironment) return !/^[a-z]+[A-Z]\w*(?:Password|Pwd)$/.test(value) && !hasCredentialWord(value);
    return isAlone && /^\p{Ll}{7,}$/u.test(value) && !hasCredentialWord(value);
  }
  if (TECHNICAL.test(value) && !isRandom(value)) return false;
  if (!hasLetter || !hasDigit) return isLetterKey(value) && (isQuoted || isEnvironment);
  if (isEnvironment) return !isIdentifierName(value);
  return isQuoted ? !isIdentifierName(value) || isRandom(value) : isRandom(value) || isMixed(value);
}

/** Whether a word of a sentence, such as "the password is hunter2", gives a secret away. */
export function isSecretWord(word: string, { kind, isQuoted }: Pick<Written, 'kind' | 'isQuoted'>): boolean {
  if (
    isPlaceholder(word) ||
    CODE.test(word) ||
    PATH.test(word) ||
    (TECHNICAL.test(word) && !isRandom(word)) ||
    word.includes('://')
  )
    return false;
  if (kind === 'credential') return word.length >= 12 && (isRandom(word) || isMixed(word));
  if (word.length < LEAST_PASSWORD) return false;
  const hasDigit = HAS_DIGIT.test(word);
  if (isQuoted && /^\S+$/.test(word)) return hasDigit || HAS_SIGN.test(word) || !hasCredentialWord(word);
  if (word.length < 6 || !HAS_LETTER.test(word)) return false;
  if (word.split('-').length > 2 && !hasDigit) return false;
  return hasDigit
    ? !/^\d+[-–]?[a-z]+$/i.test(word)
    : /[!@#$%^&*]/.test(word.slice(1, -1)) && !/^[\w.-]+@[\w.-]+$/.test(word);
}

/** Placeholders: `${PASSWORD}`, `<your-token>`, `string`, `null`. */
export function isPlaceholder(value: string): boolean {
  return (
    PLACEHOLDER.test(value) ||
    VARIABLE.test(value) ||
    (AMOUNT.test(value) && !/^\d{4,}$/.test(value) && !isRandom(value)) ||
    ORDINARY.has(value.toLowerCase().replace(/[.,;:!?]+$/, ''))
  );
}

function hasCredentialWord(value: string): boolean {
  return /passw|passphrase|secret|token|credential|pwd|kennwort/i.test(value);
}

/** snake_case, kebab-case or camelCase of whole words, with a number at the end of a word at most. */
function isIdentifier(value: string): boolean {
  return /^[A-Za-z]+(?:[-_.][A-Za-z]+)*\d{0,2}$/.test(value);
}

function isIdentifierName(value: string): boolean {
  return /^[A-Za-z]{2,}(?:[-_./:][A-Za-z]{2,}|[-_./:]v?\d{1,3})+$/.test(value);
}

function isPassphrase(value: string): boolean {
  const words = value.split(/\s+/);
  return (
    words.length >= 4 &&
    words.length <= 24 &&
    words.every((word) => /^[a-z]{3,10}$/.test(word)) &&
    !words.some((word) =>
      /^(?:the|and|must|not|your|for|with|this|that|has|have|are|was|can|you|please|from|should|will|password|passphrase|token|secret|key|enter|into)$/.test(
        word,
      ),
    )
  );
}

/** Of letters and digits with at least two changes between them: "a1b2", and no "step2". */
export function isMixed(value: string): boolean {
  return value.length >= 8 && changes(value) >= 2;
}

/** Letters alone, with capitals as in no word. */
function isLetterKey(value: string): boolean {
  return (
    /^[A-Za-z]{20,}$/.test(value) &&
    entropy(value) > 3.5 &&
    (value.match(/[a-z][A-Z]{1,3}(?=[a-z])/g)?.length ?? 0) >= 4 &&
    !/[a-z]{6,}/.test(value)
  );
}

const RANDOM_CHARACTERS = 16;
/** Bits a character; sixteen random hexadecimal digits have about 3.2. */
const RANDOM_BITS = 2.9;
const RANDOM_CHANGES = 4;

/** Whether a part of it, between signs that join words, looks drawn at random. */
export function isRandom(value: string): boolean {
  if (/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(value)) return true;
  return (
    value.split(/[-_.:/+=]/).some(isRandomPart) || (/[+/=]/.test(value) && isRandomPart(value.replace(/[+/=]/g, '')))
  );
}

function isRandomPart(part: string): boolean {
  return part.length >= RANDOM_CHARACTERS && changes(part) >= RANDOM_CHANGES && entropy(part) >= RANDOM_BITS;
}

/** How often letters and digits follow each other. */
function changes(value: string): number {
  return value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
}

/** Shannon's, in bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
