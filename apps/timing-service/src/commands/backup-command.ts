import { type BackupCommands, backupCommands, TarError } from '@agent-faculties/service-kit';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../config.ts';
import { backUpDatabase } from '../storage/backup/back-up-database.ts';
import type { DatabaseContents } from '../storage/backup/database-contents.ts';
import { restoreDatabase } from '../storage/backup/restore-database.ts';
import { DatabaseOpenError } from '../storage/sqlite/database-file.ts';

/** The commands `backup` and `restore`. */
export const BACKUP_COMMANDS: BackupCommands = backupCommands({
  service: 'timing-service',
  prefix: CONFIG_PREFIX,
  place: CONFIG_FIELDS.dbPath,
  store: CONFIG_FIELDS.store,
  file: 'timing-backup.db',
  backup: {
    description: 'writes a checked copy of all spaces to standard output, also while the service runs',
    run: async (dbPath, { output }) => summary(await backUpDatabase(dbPath, output)),
  },
  restore: {
    description: 'makes the databases of the backup on standard input, where there are none',
    run: async (dbPath, { input }) => summary(await restoreDatabase(dbPath, input)),
  },
  explained: [DatabaseOpenError, TarError],
});

function summary({ spaces, events, tasks, bytes }: DatabaseContents): string {
  const number = (value: number) => value.toLocaleString('en');
  const where = spaces > 1 ? ` in ${number(spaces)} spaces` : '';
  return `${number(events)} events and ${number(tasks)} tasks${where}, ${number(bytes)} bytes, checked.`;
}
