import { defineDelegate } from '../delegate.ts';

export const command = defineDelegate({
  name: 'pull',
  summary: 'Bring what all agents may see from a server to a local store',
  usage: '--data-dir FOLDER --from URL [options]',
  to: (args) => ({ service: 'memory', args: ['pull', ...args] }),
});
