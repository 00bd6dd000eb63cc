import type { Metadata } from './event.ts';

/** As long as a name may be, twice: hosts make ids of their own. */
const SESSION = /^\P{Cc}{1,256}$/u;

/** The session of an agent that a task is part of, where its metadata names one, as that of hooks and of spans does. */
export function sessionOf(metadata: Metadata): string | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const { session } = metadata;
  return typeof session === 'string' && SESSION.test(session) ? session : null;
}

/** The metadata of a task that starts in a session: with it, unless they name one themselves or are a text. */
export function inSession(metadata: Metadata, session: string | null): Metadata {
  if (session === null || typeof metadata === 'string') return metadata;
  return metadata !== null && Object.hasOwn(metadata, 'session') ? metadata : { ...metadata, session };
}
