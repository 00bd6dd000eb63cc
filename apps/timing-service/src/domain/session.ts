import type { Metadata } from './event.ts';

/** As long as a name may be, twice: hosts make ids of their own. */
const SESSION = /^\P{Cc}{1,256}$/u;

/** The session of an agent that a task is part of, where its metadata names one, as that of hooks and of spans does. */
export function sessionOf(metadata: Metadata): string | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const { session } = metadata;
  return typeof session === 'string' && SESSION.test(session) ? session : null;
}
