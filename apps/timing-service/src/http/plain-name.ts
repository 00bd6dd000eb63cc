import { invisibleFault } from '@agent-faculties/agent-identity';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { EventStore } from '../domain/event.ts';
import { lengthFault, plainName } from '../domain/plain-name.ts';
import type { TaskStore } from '../domain/task.ts';
import type { Whose } from '../domain/whose.ts';

/**
 * The name under which something new is kept: with no blanks that nobody sees, which would make two types of one.
 * An invisible character is refused for the same reason, since it may stand anywhere. What was kept under such a name earlier can
 * still be ended, asked for and deleted.
 * @param where 'body/task_type'
 * @throws InvalidInputError
 */
export function nameToKeep(name: string, where: string): string {
  const plain = plainName(name);
  const message = invisibleFault(name) ?? lengthFault(plain);
  if (message !== null) throw InvalidInputError.at(where, message);
  return plain;
}

/** A URL with one of these as a part of its path names another place, and programs write it so before they send it, encoded or not. */
const PLACES = ['.', '..'];

/** The same for a name that stands in the path of a URL when it is asked for. @throws InvalidInputError */
export function nameToAsk(name: string, where: string): string {
  const plain = nameToKeep(name, where);
  if (!PLACES.includes(plain)) return plain;
  const message = `must not be '${plain}', which means another place in a URL and cannot be asked for: send another name`;
  throw InvalidInputError.at(where, message);
}

/** The task type that a question is about: without blanks that nobody sees, unless an earlier version kept one with them. */
export async function askedType<Name extends string | undefined>(
  events: Pick<EventStore, 'hasTaskType'>,
  whose: Whose,
  sent: Name,
): Promise<Name> {
  const plain = (sent === undefined ? sent : plainName(sent)) as Name;
  if (sent === plain || sent === undefined) return plain;
  return (await events.hasTaskType(whose, sent)) ? sent : plain;
}

/** The same for the event type or the correlation id that a list is filtered by. */
export async function askedOfEvents(
  events: Pick<EventStore, 'list'>,
  whose: Whose,
  filter: { readonly [Field in 'eventType' | 'correlationId']?: string | undefined },
): Promise<string | undefined> {
  const [sent] = Object.values(filter);
  if (sent === undefined) return sent;
  const plain = plainName(sent);
  if (sent === plain) return plain;
  const { items } = await events.list({ ...whose, ...filter }, { limit: 1, after: null });
  return items.length > 0 ? sent : plain;
}

type Tasks = Pick<TaskStore, 'find'>;

/** The same for the correlation id of a task that is asked for or ended. */
export async function askedId(tasks: Tasks, sent: string): Promise<string> {
  const plain = plainName(sent);
  return sent === plain || !(await tasks.find(sent)) ? plain : sent;
}

/**
 * The correlation id under which a start or an event is kept, as `nameToAsk`; that of a task from an earlier version as it was sent then.
 * @throws InvalidInputError
 */
export async function idToKeep(tasks: Tasks, sent: string): Promise<string> {
  const id = await askedId(tasks, sent);
  return id === plainName(id) ? nameToAsk(id, 'body/correlation_id') : id;
}
