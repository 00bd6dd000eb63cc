import { defineDelegate } from '../delegate.ts';

export const command = defineDelegate({
  name: 'push',
  summary: 'Send the memories of a local store to a server',
  usage: '--to URL [--data-dir FOLDER] [options]',
  notes: [
    'Without --data-dir it reads what start keeps; the service of that folder must be stopped.',
    'AGENT_FACULTIES_KEY holds the key for a gateway. agent-faculties push --to URL --help lists all options.',
  ],
  to: (args) => ({ service: 'memory', args: ['push', ...args] }),
});
