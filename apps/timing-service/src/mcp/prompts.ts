import type { PromptText } from '@agent-faculties/mcp-kit';
import type { operations } from '../api.gen.ts';
import { timingResources } from './resources.ts';

/** @param rules with the names of the tools */
export function timingPrompts(rules: string): readonly PromptText<operations>[] {
  return [
    {
      name: 'time-aware-work',
      title: 'Work with a sense of time',
      description: 'How to use the clock and the durations that were measured, with what is known now',
      arguments: {},
      text: async (_given, call) => {
        const known = await Promise.all(timingResources.map(({ read }) => read({}, call)));
        return [rules, ...known].join('\n\n');
      },
    },
  ];
}
