import { isOfType, type Task } from '../../domain/task.ts';
import { isSeenIn } from '../../domain/whose.ts';
import { projectOf, type TaskRow, taskColumns } from './rows.ts';

/** The same id for other work, or in another project, or another end than the stored one: one of the two is wrong, and the service cannot know which. */
export function contradicts(known: TaskRow, task: Task): boolean {
  const { agentId, taskType, startedUs, endedUs, outcome } = taskColumns(task);
  const isOther = known.agentId !== agentId || !isOfType(known, taskType) || known.startedUs !== startedUs;
  const isElsewhere = !isSeenIn(projectOf(known), task);
  const bothEnded = known.state === 'ended' && task.state === 'ended';
  return isOther || isElsewhere || (bothEnded && (known.endedUs !== endedUs || known.outcome !== outcome));
}
