import { DatabaseError } from '../open-database.ts'

/** A backup cannot be made or restored. */
export class BackupError extends DatabaseError {
  override name = 'BackupError'
}
