import { defineDelegate } from '../delegate.ts';

export const command = defineDelegate({
  name: 'pull',
  summary: 'Bring what all agents may see from a server to a local store',
  usage: '--from URL [--data-dir FOLDER] [options]',
  notes: [
    'Without --data-dir it writes what start keeps; the service of that folder must be stopped.',
    'AGENT_FACULTIES_KEY holds the key for a gateway. agent-faculties pull --from URL --help lists all options.',
  ],
  to: (args) => ({ service: 'memory', args: ['pull', ...args] }),
});
