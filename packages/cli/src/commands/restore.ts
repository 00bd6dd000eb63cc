import { defineDelegate, serviceFirst } from '../delegate.ts';

export const command = defineDelegate({
  name: 'restore',
  summary: 'Make the data of one service from the backup on standard input, where there are none',
  usage: 'memory | timing [options] <FILE',
  to: (args) => serviceFirst('restore', args),
});
