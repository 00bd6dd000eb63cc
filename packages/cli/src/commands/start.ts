import { defineCommand, UsageError } from '../command.ts';

export const command = defineCommand({
  name: 'start',
  summary: 'Start both services, or the one that is named; Ctrl-C stops them',
  usage: '[memory | timing]',
  options: {},
  passesArguments: true,
  run: async ({ edge, positionals }) => {
    const wrong = positionals.find((name) => name !== 'memory' && name !== 'timing');
    if (wrong !== undefined)
      throw new UsageError(`${JSON.stringify(wrong)} is not a service: name memory or timing, or none for both.`);
    return await edge.execute([...edge.programs.start, ...positionals], {
      ...edge.env,
      AGENT_FACULTIES_DATA: edge.programs.dataFolder,
    });
  },
});
