import type { PromptText } from '@agent-faculties/mcp-kit';
import type { operations } from '../api.gen.ts';

/** @param rules with the names of the tools */
export function memoryPrompts(rules: string): readonly PromptText<operations>[] {
  return [
    {
      name: 'team-memory',
      title: 'Work with the team memory',
      description: 'How to use the shared memory, with what is known about a topic',
      arguments: { topic: { description: 'What the work is about: what is known of it is put in', required: false } },
      text: async ({ topic }, call) => {
        if (!topic) return rules;
        const { context } = (await call('recall', { query: topic })).body;
        return `${rules}\n\n${context === '' ? 'Nothing is known about this topic yet.' : context}`;
      },
    },
  ];
}
