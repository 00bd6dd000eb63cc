import { ApiError, type TimingSchemas } from '@agent-faculties/client';
import { CommandError } from '../command.ts';
import { counted, duration } from '../print.ts';

type Summary = TimingSchemas['schemas']['Summary'];

/** Whose tasks a question is about. */
export type Of = { agent_id?: string };

export const ALL_AGENTS = '*';
/** The option that asks about all projects. */
export const ALL_PROJECTS = "--project '*'";

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

/** "38 s, p95 1 min 11 s (24 runs, confidence high)" */
export function usual(summary: Summary): string {
  const { median_seconds, count: runs, confidence } = summary;
  return `${duration(median_seconds)}, p95 ${p95Of(summary)} (${counted(runs, 'run')}, confidence ${confidence})`;
}

/** Runs that were cut off may put it beyond everything seen. */
export function p95Of({ p95_seconds, at_least }: Summary): string {
  return `${at_least?.includes('p95_seconds') ? 'at least ' : ''}${duration(p95_seconds)}`;
}
