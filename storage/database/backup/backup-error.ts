import { DatabaseError } from '../open-database.ts'

/** A backup cannot be made or restored. */
export class BackupError extends DatabaseError {
  override name = 'BackupError'
}

/** Runs a step, and turns errors of the system and of SQLite into a {@link BackupError} that begins with `what`. */
export async function explainErrors<Result>(what: string, step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (cause) {
    // Other errors have no code, and say enough.
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    throw new BackupError(`${what}: ${cause.message}`, { cause })
  }
}
