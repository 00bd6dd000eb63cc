import { ForbiddenError } from '@agent-faculties/service-kit';
import type { Memory } from './memory.ts';
import { isChangeableBy, type Viewer } from './visibility.ts';

/** @throws ForbiddenError for a memory that another project shares */
export function checkProject(memory: Pick<Memory, 'id' | 'project'>, viewer: Viewer): void {
  if (isChangeableBy(viewer, memory)) return;
  throw new ForbiddenError(
    `Memory '${memory.id}' belongs to project '${memory.project}', which shares it: change it in that project.`,
    { code: 'other_project' },
  );
}
