// Why a statement failed, by the codes of SQLite, PostgreSQL and Node.js.

/** Whether a statement failed because a value that must be unique already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && uniqueViolations.has(error.code)
}

const uniqueViolations: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

/**
 * Errors of connections to PostgreSQL. Those of other sockets and pipes have the same codes, such as EPIPE, so only
 * these are failures of the database.
 */
const ofPostgres = new WeakSet<Error>()

/** Notes that an error came out of the driver of PostgreSQL. */
export function notePostgresError(error: unknown): void {
  if (error instanceof Error) ofPostgres.add(error)
}

/**
 * Explains the failure of a statement that may succeed later: the database is busy, full, read-only, stopping or
 * unreachable. Undefined when the statement failed for another reason, and for errors that no database has thrown.
 */
export function explainUnavailable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : undefined
  const isUnavailable = ofPostgres.has(error) ? isLost(code, error.message) : sqliteCodes.test(code ?? '')
  if (!isUnavailable) return undefined
  if (code === 'SQLITE_READONLY_DBMOVED') return 'The file of the database was deleted or replaced; changes are lost'
  if (code !== undefined && full.test(code)) return 'The disk of the database is full; nothing was changed'
  if (code !== undefined && readOnly.test(code)) return 'The database is read-only now; nothing was changed'
  if (code === 'SQLITE_BUSY' && isLocked.test(error.message))
    return 'Another process keeps the database locked; nothing was changed'
  return 'The database cannot be used now'
}

/** What is read, or this instead while the database is away ({@link explainUnavailable}). */
export async function unlessUnavailable<Found, Instead>(
  reading: Promise<Found>,
  instead: Instead,
): Promise<Found | Instead> {
  try {
    return await reading
  } catch (error) {
    if (explainUnavailable(error) === undefined) throw error
    return instead
  }
}

/** Whether an error of the driver of PostgreSQL means that the server is unavailable. */
function isLost(code: string | undefined, message: string): boolean {
  return code === undefined ? lostConnection.test(message) : postgresCodes.test(code)
}

/** No other program has codes of this form. */
const sqliteCodes = /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|PROTOCOL)\w*$/

/**
 * Classes of PostgreSQL's codes (connection, rollback, resources, operator), and connection errors of Node.js, which
 * the driver passes on.
 */
const postgresCodes = new RegExp(
  [/^(?:(?:08|40|53|57)\w{3}|25006)$/, /^(?:E(?:CONN|HOST|NET)\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/]
    .map(({ source }) => source)
    .join('|'),
)

const full = /^(?:SQLITE_FULL|53100)$/

/** The message of SQLite. With another message, statements of this process wait for each other. */
const isLocked = /^database is locked/

/** PostgreSQL says this after a failover, when the server has become a standby (`read_only_sql_transaction`). */
const readOnly = /^(?:SQLITE_READONLY\w*|25006)$/

/** Messages of `pg` for errors without a code. */
const lostConnection = /^Connection terminated|^timeout exceeded when trying to connect$|encountered a connection error/
