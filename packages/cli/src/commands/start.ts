import { defineCommand, UsageError } from '../command.ts';

export const command = defineCommand({
  name: 'start',
  summary: 'Start both services, or the one that is named; Ctrl-C stops them',
  usage: '[memory | timing]',
  options: {},
  notes: [
    'Variables set it up: MEMORY_PORT (7832) and TIMING_PORT (8080) the ports, AGENT_FACULTIES_DATA the folder of the data,',
    'and every other MEMORY_ and TIMING_ variable of the services (docs/configuration.md of the repository).',
    'The other commands take the two ports from the same variables, and MEMORY_URL and TIMING_URL before them.',
  ],
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
