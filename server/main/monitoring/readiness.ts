import type { Health } from '@floe/contract'
import { explainUnavailable, type Database } from '@floe/storage/database'
import { TooManyObjectsError } from '@floe/storage/objects'
import type { Catalog } from '../../catalog/catalog.ts'
import { RequestProblem } from '../../problems/request-problem.ts'

type ReadinessParts = {
  readonly db: Database
  /** Whether heads are watched and deliveries sent. */
  readonly areNotificationsStarted: () => boolean
  readonly isOverloaded: () => boolean
  readonly isStopping: () => boolean
}

/**
 * Describes a process that is ready. A location that cannot be listed does not make the process unready, because it
 * still serves the others; the answer only counts such locations. It names no organisation and no location, because
 * anybody may ask.
 */
export function describeHealth(catalogs: ReadonlyMap<string, Pick<Catalog, 'failures'>>): Health {
  const failures = [...catalogs.values()].flatMap((catalog) => catalog.failures)
  const tooMany = failures.filter((failure) => failure instanceof TooManyObjectsError).length
  if (tooMany === 0) return { status: 'ok' }
  const count = `Scanned locations that hold more than limits.maxScanned: ${tooMany}`
  const advice = 'New repositories in them are not found; the log and floe check name the locations'
  return { status: 'ok', reasons: [`${count}. ${advice}`] }
}

/** Throws RequestProblem `unavailable`, with the reasons, when the process should get no requests now. */
export async function requireReady(parts: ReadinessParts): Promise<void> {
  const reasons = await listReasons(parts)
  if (reasons.length === 0) return
  const detail = reasons.map(({ text }) => text).join('. ')
  throw new RequestProblem('unavailable', detail, { cause: reasons.find(({ cause }) => cause)?.cause })
}

/** Lists why the process should get no requests now; an empty list means that it is ready. */
export async function listReasons(parts: ReadinessParts): Promise<readonly Reason[]> {
  const { db, areNotificationsStarted, isOverloaded, isStopping } = parts
  const database = await tryDatabase(db)
  return [
    ...(isStopping() ? [{ text: 'The service is stopping' }] : []),
    ...(areNotificationsStarted() ? [] : [{ text: 'Notifications have not started yet' }]),
    ...(isOverloaded() ? [{ text: 'Memory or processor time is short, so requests are refused' }] : []),
    ...(database === undefined ? [] : [database]),
  ]
}

/** A reason, and the error behind it. */
type Reason = { readonly text: string; readonly cause?: unknown }

async function tryDatabase(db: Database): Promise<Reason | undefined> {
  try {
    await db.selectFrom('repositories').select('id').limit(1).execute()
    return undefined
  } catch (cause) {
    return { text: explainUnavailable(cause) ?? 'The database does not answer', cause }
  }
}
