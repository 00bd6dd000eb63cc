import { homedir } from 'node:os';
import { join } from 'node:path';
import { ANY_AGENT, isSpaceName, parseAgentId } from '@agent-faculties/agent-identity';
import { hostName } from '../http/authority.ts';

/** Turns the text of a flag or an environment variable into a value; throws an Error whose message completes "X='...' ...". */
export type Parser<T> = (text: string) => T;

export const text: Parser<string> = (value) => value;

export function integerBetween(low: number, high: number): Parser<number> {
  return (value) => {
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= low && number <= high) return number;
    throw new Error(`must be a whole number from ${low} to ${high}`);
  };
}

export function numberBetween(low: number, high: number): Parser<number> {
  return (value) => {
    const number = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : Number.NaN;
    if (number >= low && number <= high) return number;
    throw new Error(`must be a number from ${low} to ${high}`);
  };
}

export function oneOf<const T extends string>(...choices: readonly T[]): Parser<T> {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice !== undefined) return choice;
    throw new Error(`must be one of ${choices.join(', ')}`);
  };
}

/** For switches. */
export const trueOrFalse: Parser<boolean> = (value) => {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new Error('must be true or false');
};

/** Names and addresses of hosts, separated by commas; duplicates are dropped. */
export const hostNames: Parser<readonly string[]> = (value) => {
  const entries = value.split(',').map((entry) => entry.trim());
  const wrong = entries.filter((entry) => hostName(entry) === null);
  if (wrong.length === 0) return [...new Set(entries.flatMap((entry) => hostName(entry) ?? []))];
  const named = wrong.map((entry) => JSON.stringify(entry)).join(', ');
  throw new Error(
    `must be names or addresses of hosts without scheme, port and path, separated by commas, such as box.local,192.168.1.7; wrong: ${named}`,
  );
};

const BYTES_PER_UNIT: Readonly<Record<string, number>> = { '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** An address of HTTP, without the slash at its end. */
export const httpUrl: Parser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error('must be an address such as http://127.0.0.1:4318');
  return value.replace(/\/+$/, '');
};

/** Headers as OpenTelemetry writes them: 'name=value,other=value', values percent-encoded. */
export const headerPairs: Parser<Readonly<Record<string, string>>> = (value) => {
  const pairs = value.split(',').map((pair) => {
    const [, name, text] =
      /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)\s*$/.exec(pair) ?? [];
    if (name === undefined || text === undefined) throw new Error('must be headers such as api-key=abc,x-tenant=7');
    return [name, decoded(text)];
  });
  return Object.fromEntries(pairs) as Readonly<Record<string, string>>;
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Bytes from '65536', '256KiB', '256 KiB', '1MiB'; at least 1. */
export const byteSize: Parser<number> = (value) => {
  const match = /^(\d+) ?(B|KiB|MiB|GiB)?$/.exec(value);
  const bytes = match ? Number(match[1]) * (BYTES_PER_UNIT[match[2] ?? ''] ?? Number.NaN) : Number.NaN;
  if (bytes >= 1 && Number.isSafeInteger(bytes)) return bytes;
  throw new Error('must be a size such as 65536, 256KiB or 1MiB');
};

/** A path; a leading `~` is the home directory, which only a shell would have expanded. */
export const path: Parser<string> = (value) => {
  if (value === '~') return homedir();
  return value.startsWith('~/') ? join(homedir(), value.slice(2)) : value;
};

/** The name of one space. */
export const space: Parser<string> = (value) => {
  if (isSpaceName(value)) return value;
  throw new Error('must be the name of a space: 1 to 63 of a-z, 0-9 and -, with no - at either end');
};

/** The id of one agent. `*` is refused, because it cannot own what is written. */
export const agentId: Parser<string> = (value) => {
  if (value === ANY_AGENT) throw new Error("must name one agent: '*' means all agents");
  try {
    return parseAgentId(value, 'agent id');
  } catch (error) {
    throw new Error(`is not an agent id (${(error as Error).message})`);
  }
};
