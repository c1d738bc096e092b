export { BackupError } from './backup-error.ts'
export { makeBackup, type BackupParts } from './make-backup.ts'
export { restoreBackup, type RestoreParts } from './restore-backup.ts'
export type { BackupReport } from './try-backup.ts'
