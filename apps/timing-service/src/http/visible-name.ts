import { invisibleFault } from '@agent-faculties/agent-identity';
import { InvalidInputError } from '@agent-faculties/service-kit';

/**
 * Checks a name under which something new is kept: an invisible character in it would make two types of what looks like one. What was
 * kept under such a name earlier can still be ended, asked for and deleted.
 * @param where 'body/task_type'
 * @throws InvalidInputError
 */
export function requireVisible(name: string, where: string): void {
  const message = invisibleFault(name);
  if (message !== null) throw new InvalidInputError(`${where} ${message}.`, { faults: [{ where, message }] });
}
