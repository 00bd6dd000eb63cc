import { type Caller, projectScope } from '@agent-faculties/agent-identity';
import type { Memory } from './memory.ts';

/** Who asks, and in which project. */
export interface Viewer {
  readonly agentId: string;
  /** null: in all projects. */
  readonly project: string | null;
}

/**
 * Has an id that no agent has. Asked by nobody, a store shows and counts only what is not PRIVATE. The contract and parseAgentId
 * refuse empty ids.
 */
export const NOBODY: Viewer = { agentId: '', project: null };

/** Sees what every agent in this project sees; where it is null, what every agent in every project does. */
export function nobodyIn(project: string | null): Viewer {
  return { ...NOBODY, project: project ?? NO_PROJECT };
}

/** The viewer that a caller is. */
export function viewerOf(caller: Caller): Viewer {
  return { agentId: caller.agentId, project: projectScope(caller) };
}

/** A name that no project has. */
const NO_PROJECT = '';

/** The fields of a memory that decide who sees it. */
export type Audience = Pick<Memory, 'scope' | 'agentId' | 'project'>;

/**
 * Decides whether a viewer may see a memory. Every path that returns text, ids or counts asks this function. A project sees its own
 * memories, those without a project, and the SHARED ones of other projects.
 */
export function isVisibleTo({ agentId, project }: Viewer, memory: Audience): boolean {
  if (memory.scope === 'PRIVATE' && memory.agentId !== agentId) return false;
  return project === null || memory.project === null || memory.project === project || memory.scope === 'SHARED';
}

/** Whether a viewer that sees a memory may change it: what another project shares is only read. */
export function isChangeableBy({ project }: Viewer, memory: Pick<Audience, 'project'>): boolean {
  return project === null || memory.project === null || memory.project === project;
}

/** Whether everybody who sees a memory sees the other one too. */
export function isSeenByAllWhoSee(memory: Audience, other: Audience): boolean {
  const isForAgents = other.scope !== 'PRIVATE' || (memory.scope === 'PRIVATE' && memory.agentId === other.agentId);
  const isForProjects =
    other.project === null ||
    other.scope === 'SHARED' ||
    (other.project === memory.project && memory.scope !== 'SHARED');
  return isForAgents && isForProjects;
}

/** Equal for two memories exactly when the same viewers see both. Consolidation joins only such memories. */
export function audienceKey({ scope, agentId, project }: Audience): string {
  return JSON.stringify([scope, scope === 'PRIVATE' ? agentId : null, project]);
}
