export { BackupError } from './backup-file.ts'
export { makeBackup, type BackupParts } from './make-backup.ts'
export { restoreBackup, type RestoreParts } from './restore-backup.ts'
export type { BackupReport } from './try-backup.ts'
