import { readFileSync } from 'node:fs';
import { ANY_PROJECT, DEFAULT_SPACE, parseProject, parseSpace } from '@agent-faculties/agent-identity';
import { ConfigError } from '@agent-faculties/service-kit';
import { EVENT_TYPES, type EventType } from '../domain/space/change-feed.ts';
import { isPrivateHost } from './public-address.ts';

/** A URL that the operator has events sent to. */
export interface Webhook {
  readonly url: URL;
  /** What logs and metrics call it: its host, with a number where another one has the same. */
  readonly name: string;
  /** What notices are signed with: one key, or the new one and the one before. */
  readonly keys: readonly Buffer[];
  readonly events: readonly EventType[];
  /** null: all projects. */
  readonly project: string | null;
  readonly space: string;
}

/** Each has a connection and a place in memory of its own. */
const MOST_WEBHOOKS = 20;
const FIELDS = ['url', 'secret', 'previous_secret', 'events', 'project', 'space'];
/** Bytes of a key (Standard Webhooks 1.0.0). */
const [LEAST_KEY_BYTES, MOST_KEY_BYTES] = [24, 64];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the file of `--webhooks`. Messages quote no secret, and nothing of a path, which may be one.
 * @throws ConfigError naming every fault
 */
export function readWebhooksFile(path: string, { allowPrivate }: { allowPrivate: boolean }): readonly Webhook[] {
  const listed = listIn(path);
  const faults: string[] = [];
  const names = new Map<string, number>();
  const webhooks = listed.flatMap((entry, index) => {
    const refuse = (fault: string): null => {
      faults.push(`${path}, webhook ${index + 1}: ${fault}.`);
      return null;
    };
    const webhook = read(entry, { allowPrivate, refuse });
    if (!webhook) return [];
    const { host } = webhook.url;
    const count = (names.get(host) ?? 0) + 1;
    names.set(host, count);
    return [{ ...webhook, name: count === 1 ? host : `${host}#${count}` }];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return webhooks;
}

function listIn(path: string): readonly unknown[] {
  const refuse = (fault: string): never => {
    throw new ConfigError([`${path} ${fault}.`]);
  };
  const text = readText(path, refuse);
  let listed: unknown;
  try {
    listed = JSON.parse(text);
  } catch {
    // The message of the parser would quote what may be a secret.
    refuse('is not JSON');
  }
  if (!Array.isArray(listed))
    return refuse('must hold a list of webhooks: [{"url": "https://...", "secret": "whsec_..."}]');
  if (listed.length > MOST_WEBHOOKS) return refuse(`lists ${listed.length} webhooks: there may be ${MOST_WEBHOOKS}`);
  return listed;
}

function readText(path: string, refuse: (fault: string) => never): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`cannot be read (${(error as NodeJS.ErrnoException).code}): --webhooks names a file of JSON`);
  }
}

interface EntryCheck {
  readonly allowPrivate: boolean;
  /** Notes a fault. */
  readonly refuse: (fault: string) => null;
}

/** null where there is a fault. Every field is read, so that every fault is named. */
function read(entry: unknown, check: EntryCheck): Omit<Webhook, 'name'> | null {
  const { refuse } = check;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return refuse('must be an object with url and secret');
  }
  const fields = entry as Fields;
  const unknown = Object.keys(fields).filter((name) => !FIELDS.includes(name));
  if (unknown.length > 0) refuse(`has unknown fields (${unknown.join(', ')}): it may have ${FIELDS.join(', ')}`);
  const url = urlIn(fields, check);
  const key = keyIn(fields, 'secret', check);
  const keyBefore = fields.previous_secret === undefined ? undefined : keyIn(fields, 'previous_secret', check);
  const events = eventsIn(fields, check);
  const project = projectIn(fields, check);
  const space = spaceIn(fields, check);
  if (!url || !key || keyBefore === null || !events || project === undefined || !space) return null;
  return { url, keys: keyBefore ? [key, keyBefore] : [key], events, project, space };
}

function urlIn({ url: text }: Fields, { allowPrivate, refuse }: EntryCheck): URL | null {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return refuse('url must be an address such as https://example.com/hooks');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('url must have no user name and no password: the signature tells the receiver who sends');
  }
  if (!allowPrivate && url.protocol === 'http:') {
    return refuse('url must begin with https://; --webhooks-allow-private allows http too');
  }
  if (!allowPrivate && isPrivateHost(url)) {
    return refuse(`url leads to a private address (${url.hostname}): start with --webhooks-allow-private if it may`);
  }
  url.hash = '';
  return url;
}

function keyIn(fields: Fields, name: 'secret' | 'previous_secret', { refuse }: EntryCheck): Buffer | null {
  const text = fields[name];
  const base64 = typeof text === 'string' ? /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] : undefined;
  const key = Buffer.from(base64 ?? '', 'base64');
  if (key.length >= LEAST_KEY_BYTES && key.length <= MOST_KEY_BYTES) return key;
  return refuse(
    `${name} must be whsec_ and the base64 of ${LEAST_KEY_BYTES} to ${MOST_KEY_BYTES} bytes: echo "whsec_$(openssl rand -base64 32)" makes one`,
  );
}

function eventsIn({ events }: Fields, { refuse }: EntryCheck): readonly EventType[] | null {
  if (events === undefined) return EVENT_TYPES;
  const known: readonly unknown[] = EVENT_TYPES;
  if (Array.isArray(events) && events.length > 0 && events.every((type) => known.includes(type))) return events;
  return refuse(`events must be a list of some of ${EVENT_TYPES.join(', ')}; without it all are sent`);
}

function projectIn({ project }: Fields, { refuse }: EntryCheck): string | null | undefined {
  if (project === undefined || project === null) return null;
  try {
    if (typeof project === 'string' && project !== ANY_PROJECT) return parseProject(project, 'project');
  } catch {}
  refuse('project must be the name of one, such as "web-shop"; without it events of all projects are sent');
  return undefined;
}

function spaceIn({ space = DEFAULT_SPACE }: Fields, { refuse }: EntryCheck): string | null {
  try {
    if (typeof space === 'string') return parseSpace(space, 'space');
  } catch {}
  return refuse('space must be the name of one, such as "team-a"; without it events of the default one are sent');
}
