import type { Entity } from '../../memory/memory.ts';
import {
  DESCRIBING_END,
  DESCRIBING_START,
  FILE_ENDINGS,
  HOST_ENDINGS,
  NO_TICKETS,
  TECHNICAL_PARTS,
} from './name-words.ts';

/** A longer word is data and no name; the bound also limits the cost of the patterns. */
export const LONGEST_WORD = 200;

/** Letters or digits alone have no form of their own; "localhost" is a host. */
const FORMLESS = /^(?:(?!localhost$)[A-Za-z][a-z]*|\d+)$/;
const MENTION = /^@([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?)$/u;
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const SCOPED_PACKAGE = /^@[\w-]+\/[\w.-]+$/;
const NUMBERED = /^#\d{1,10}$/;
const HASHTAG = /^#[\p{L}_][\p{L}\p{N}\p{M}_-]*$/u;
const TICKET = /^([A-Z][A-Z0-9]{1,9})-\d{1,9}$/;
const VERSION = /^(?:v\d+(?:\.\d+)*|\d+\.\d+\.\d+(?:\.\d+)?)(?:[-+][\w.+-]+)?$/i;
const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?$/;
const HOST = /^(?:(?:[a-z\d][a-z\d-]*\.)+([a-z]{2,})|localhost)(?::\d{1,5})?$/i;
const PATH = /^(?:[A-Za-z]:|~|\.{1,2})?[\\/]?[\w.@+$*-]+(?:[\\/][\w.@+$*{}:-]+)*[\\/]?$/;
const ROOTED = /^(?:[A-Za-z]:\\|~[\\/]|\.{1,2}[\\/]|\/[a-zA-Z_.])/;
const FILE_ENDING = /\.([a-z][a-z\d]{0,9})$/i;
const FILE_NAME = /^[\w.+-]+$/;
const CAMEL_CASE = /^[a-z]+\d*(?:[A-Z][a-z\d]*)+$/;
const SNAKE_CASE = /^_*[A-Za-z\d]+(?:_+[A-Za-z\d]+)+_*$/;
const KEBAB_CASE = /^[a-z][a-z\d]*(?:-[a-z\d]+)+$/;
const DOTTED_CALL = /^[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*\(\)$/;
const QUALIFIED = /^[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+$/;
/** The content of a code span that is a name and not a snippet. */
const CODE_NAME = /^[\w@$./:#~*+-]{2,80}(?:\(\))?$/;

/**
 * Reads a single word as an entity by its form alone: url, e-mail, mention, ticket, version, host, path, identifier, hashtag.
 * @param word without the punctuation around it, at most LONGEST_WORD characters
 */
export function entityByForm(word: string): Entity | null {
  if (FORMLESS.test(word)) return null;
  if (word.includes('://')) return { name: word, type: 'url' };
  if (word.includes('@')) return withAtSign(word);
  if (word.startsWith('#')) {
    if (NUMBERED.test(word)) return identifier(word);
    return HASHTAG.test(word) ? { name: word, type: 'tag' } : null;
  }
  if (IP_ADDRESS.test(word)) return identifier(word);
  if (VERSION.test(word)) return { name: word, type: 'version' };
  const ticket = TICKET.exec(word);
  if (ticket) return NO_TICKETS.has((ticket[1] ?? '').toLowerCase()) ? null : identifier(word);
  if (isHost(word)) return { name: word, type: 'url' };
  return isCode(word) || isPath(word) ? identifier(word) : null;
}

/** Reads text between backticks: a single word is a name. */
export function entityInCodeSpan(word: string): Entity | null {
  return entityByForm(word) ?? (CODE_NAME.test(word) && /\p{L}/u.test(word) ? identifier(word) : null);
}

function withAtSign(word: string): Entity | null {
  const mention = MENTION.exec(word)?.[1];
  if (mention) return { name: mention, type: 'person' };
  if (EMAIL.test(word)) return { name: word, type: 'email' };
  return SCOPED_PACKAGE.test(word) ? identifier(word) : null;
}

function isHost(word: string): boolean {
  if (!word.includes('.') && !word.startsWith('localhost')) return false;
  const match = HOST.exec(word);
  return match !== null && (match[1] === undefined || HOST_ENDINGS.has(match[1].toLowerCase()));
}

function isPath(word: string): boolean {
  const ending = FILE_ENDING.exec(word)?.[1]?.toLowerCase();
  const isFile = ending !== undefined && FILE_ENDINGS.has(ending);
  if (!/[\\/]/.test(word)) return isFile && FILE_NAME.test(word);
  return (isFile || ROOTED.test(word)) && PATH.test(word);
}

function isCode(word: string): boolean {
  if (CAMEL_CASE.test(word) || SNAKE_CASE.test(word) || DOTTED_CALL.test(word) || QUALIFIED.test(word)) return true;
  if (!KEBAB_CASE.test(word) || DESCRIBING_END.test(word) || DESCRIBING_START.test(word)) return false;
  return word.split('-').some((part) => TECHNICAL_PARTS.has(part) || /\d/.test(part));
}

function identifier(name: string): Entity {
  return { name, type: 'identifier' };
}
