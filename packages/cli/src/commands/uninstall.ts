import { installCommand } from '../install/run-install.ts';

export const command = installCommand('uninstall', 'Take out of a host what install put in');
