import { defineDelegate } from '../delegate.ts';

export const command = defineDelegate({
  name: 'push',
  summary: 'Send the memories of a local store to a server',
  usage: '--data-dir FOLDER --to URL [options]',
  to: (args) => ({ service: 'memory', args: ['push', ...args] }),
});
