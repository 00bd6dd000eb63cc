import { type BackupCommands, backupCommands, type Clock } from '@agent-faculties/service-kit';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../config.ts';
import { backUpDirectory } from '../persistence/backup/back-up-directory.ts';
import { EXPLAINED_ERRORS } from '../persistence/backup/explained-errors.ts';
import { restoreDirectory } from '../persistence/backup/restore-directory.ts';
import type { ProcessName } from '../persistence/directory/lock-holder.ts';
import { count } from './progress-bar.ts';

/** What the commands need of the machine. */
export interface BackupMachine {
  readonly clock: Clock;
  readonly process: ProcessName;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The commands `backup` and `restore`. */
export function memoryBackupCommands(machine: BackupMachine): BackupCommands {
  return backupCommands({
    service: 'memory-service',
    prefix: CONFIG_PREFIX,
    place: CONFIG_FIELDS.dataDir,
    store: CONFIG_FIELDS.store,
    file: 'memory-backup.tar',
    backup: {
      description: 'writes a tar archive of the data directory to standard output, also while the service runs',
      run: async (dataDir, { output, version }) => {
        const nowMs = Math.floor(machine.clock.now());
        const { files, bytes } = await backUpDirectory(dataDir, { output, version, nowMs, pause: machine.pause });
        return `${count(files)} files, ${count(bytes)} bytes.`;
      },
    },
    restore: {
      description: 'makes a data directory of the backup on standard input, where there is none',
      run: async (dataDir, { input }) => {
        const { memories, replayed, madeAt, damaged } = await restoreDirectory(dataDir, { ...machine, input });
        const whole = `${count(memories)} memories of ${madeAt}, ${count(replayed)} of their changes in the journal, checked.`;
        const rest = damaged.map(({ space, reason }) => `The space '${space}' is damaged in the backup: ${reason}`);
        return [whole, ...rest].join('\n');
      },
    },
    explained: EXPLAINED_ERRORS,
  });
}
