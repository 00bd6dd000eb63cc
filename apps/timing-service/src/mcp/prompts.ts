import type { PromptText } from '@agent-faculties/mcp-kit';
import type { operations } from '../api.gen.ts';
import { timingResources } from './resources.ts';

const RULES = `Work with a sense of time (tools: now, start, end, expect, check, compare).
1. Ask now at the start and after every pause: you have no clock of your own, and hours may lie between two messages.
2. Start a task before anything that takes more than a few seconds, and end it with its outcome, also when it failed.
3. Use the same task type for the same kind of work. Expect before you set a timeout or tell me how long something takes.
4. Check what runs long instead of cutting it off or waiting blindly.
5. Tell me figures with how many runs stand behind them.`;

export const timingPrompts: readonly PromptText<operations>[] = [
  {
    name: 'time-aware-work',
    title: 'Work with a sense of time',
    description: 'How to use the clock and the durations that were measured, with what is known now',
    arguments: {},
    text: async (_given, call) => {
      const known = await Promise.all(timingResources.map(({ read }) => read({}, call)));
      return [RULES, ...known].join('\n\n');
    },
  },
];
