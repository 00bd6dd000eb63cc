import { defineDelegate, serviceFirst } from '../delegate.ts';

export const command = defineDelegate({
  name: 'backup',
  summary: 'Write a backup of one service to standard output, also while it runs',
  usage: 'memory | timing [options] >FILE',
  to: (args) => serviceFirst('backup', args),
});
