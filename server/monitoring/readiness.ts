import { explainUnavailable, type Database } from '@floe/storage/database'

/** What a process needs to answer requests well. */
type ReadinessParts = {
  readonly db: Database
  /** Whether heads are watched and deliveries sent. */
  readonly areNotificationsStarted: () => boolean
  readonly isOverloaded: () => boolean
  readonly isStopping: () => boolean
}

/** Lists why the process should get no requests now; an empty list means that it is ready. */
export async function listReasons(parts: ReadinessParts): Promise<readonly Reason[]> {
  const { db, areNotificationsStarted, isOverloaded, isStopping } = parts
  const database = await tryDatabase(db)
  return [
    ...(isStopping() ? [{ what: 'The service is stopping' }] : []),
    ...(areNotificationsStarted() ? [] : [{ what: 'Notifications have not started yet' }]),
    ...(isOverloaded() ? [{ what: 'Memory or processor time is short, so requests are refused' }] : []),
    ...(database === undefined ? [] : [database]),
  ]
}

/** A reason, and the error behind it. */
export type Reason = { readonly what: string; readonly cause?: unknown }

async function tryDatabase(db: Database): Promise<Reason | undefined> {
  try {
    await db.selectFrom('repositories').select('id').limit(1).execute()
    return undefined
  } catch (cause) {
    return { what: explainUnavailable(cause) ?? 'The database does not answer', cause }
  }
}
