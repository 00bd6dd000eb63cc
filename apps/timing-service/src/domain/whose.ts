/** The agent and the project that a question is about. */
export interface Whose {
  /** Null means all agents. */
  readonly agentId: string | null;
  /** Null means all projects. */
  readonly project: string | null;
}

/** Whether a question in a project is about a record: it is about those of the project and those of none. Null asks about all. */
export function isSeenIn(project: string | null, record: { readonly project: string | null }): boolean {
  return project === null || record.project === null || record.project === project;
}
