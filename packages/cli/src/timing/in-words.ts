import { ApiError, type TimingSchemas } from '@agent-faculties/client';
import { CommandError } from '../command.ts';
import { counted, duration } from '../print.ts';

type Summary = TimingSchemas['schemas']['Summary'];

/** Whose tasks a question is about. */
export type Of = { agent_id?: string };

export const ALL_AGENTS = '*';
export const EVERY_PROJECT = '*';
/** The option that asks about all projects. */
export const ALL_PROJECTS = `--project '${EVERY_PROJECT}'`;

/** The code of the answer where no task of a type has ended ok. */
export const NO_HISTORY = 'no_completed_tasks';

export function isNoHistory(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === NO_HISTORY;
}

/** No history: the answer of the service names its own parameters, which the command line calls otherwise. */
export function inWordsOfTheCommand(error: unknown): unknown {
  return isNoHistory(error) ? new CommandError(noHistoryInWords(error)) : error;
}

export function noHistoryInWords({ problem: { detail } }: ApiError): string {
  return detail.replace('agent_id=*', '--all-agents').replace('project=*', ALL_PROJECTS);
}

/**
 * That a list is empty, and how to ask further.
 * @param what what no task did: "has ended yet"
 */
export function nothing({ agent_id }: Of, project: string | null, what: string): string {
  const isOfOne = agent_id !== ALL_AGENTS;
  const isInOne = project !== null && project !== EVERY_PROJECT;
  const of = `${isOfOne ? ' of this agent' : ''}${isInOne ? ` in the project '${project}'` : ''}`;
  const further = [...(isOfOne ? ['--all-agents'] : []), ...(isInOne ? [ALL_PROJECTS] : [])];
  if (further.length === 0) return `No task ${what}.`;
  return `No task${of} ${what}; ${further.join(' and ')} ${further.length === 1 ? 'shows' : 'show'} those of all.`;
}

/** "38 s, p95 1 min 11 s (24 runs, confidence high)" */
export function usual(summary: Summary): string {
  const { median_seconds, count: runs, confidence } = summary;
  return `${duration(median_seconds)}, p95 ${p95Of(summary)} (${counted(runs, 'run')}, confidence ${confidence})`;
}

/** Runs that were cut off may put it beyond everything seen. */
export function p95Of({ p95_seconds, at_least }: Summary): string {
  return `${at_least?.includes('p95_seconds') ? 'at least ' : ''}${duration(p95_seconds)}`;
}
