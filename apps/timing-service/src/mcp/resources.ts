import type { ReadableResource } from '@agent-faculties/mcp-kit';
import type { operations } from '../api.gen.ts';
import { clockInWords, running, usual } from './in-words.ts';

const TOLD_TYPES = 50;
const TOLD_TASKS = 20;

export const timingResources: readonly ReadableResource<operations>[] = [
  {
    name: 'summary',
    title: 'How long things take here',
    description: 'The time, what you have running, and what each kind of work takes, of all agents',
    uri: 'timing://summary',
    mimeType: 'text/plain',
    read: async (_variables, call) => {
      const { now } = (await call('getNow')).body;
      const { active_tasks } = (await call('listActiveTasks')).body;
      const { summaries } = (await call('listSummaries', { agent_id: '*' })).body;
      const most = [...summaries].sort((a, b) => b.count - a.count).slice(0, TOLD_TYPES);
      return [
        clockInWords(now),
        ...(active_tasks.length > 0 ? ['', 'Running:'] : []),
        ...active_tasks.slice(0, TOLD_TASKS).map((task) => `- ${running(task)}`),
        '',
        most.length > 0 ? 'What work takes here (all agents, what is done most first):' : 'No task has ended yet.',
        ...most.map((summary) => `- ${summary.task_type}: ${usual(summary)}`),
      ].join('\n');
    },
  },
];
