import { defineDelegate, serviceFirst } from '../delegate.ts';

export const command = defineDelegate({
  name: 'restore',
  summary: 'Make the data of one service from the backup on standard input, where there are none',
  usage: 'memory | timing [options] <FILE',
  notes: [
    'It writes the files, and asks no service: --data-dir FOLDER of memory, --db-path FILE of timing, else where start keeps them.',
    'agent-faculties restore memory --help lists all options.',
  ],
  to: (args) => serviceFirst('restore', args),
});
