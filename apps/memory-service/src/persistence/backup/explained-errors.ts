import { BackupError, TarError } from '@agent-faculties/service-kit';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { RestlessDirectoryError } from './backup-files.ts';

/** The errors whose message tells the operator what to do. */
export const EXPLAINED_ERRORS = [BackupError, TarError, DataDirectoryError, RestlessDirectoryError];
