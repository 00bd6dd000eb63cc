import { defineDelegate, serviceFirst } from '../delegate.ts';

export const command = defineDelegate({
  name: 'backup',
  summary: 'Write a backup of one service to standard output, also while it runs',
  usage: 'memory | timing [options] >FILE',
  notes: [
    'It reads the files, and asks no service: --data-dir FOLDER of memory, --db-path FILE of timing, else what start keeps.',
    'agent-faculties backup memory --help lists all options.',
  ],
  to: (args) => serviceFirst('backup', args),
});
