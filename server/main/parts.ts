// The first half of the composition root: opens the parts of a service from its configuration, each before the parts
// that need it. `application.ts` is the second half.
import { resolveHost } from '@floe/storage/addresses'
import {
  batchRegistrations,
  type DeclaredApiKey,
  type LanedDatabase,
  openDatabase,
  openSourceRecords,
  resealSecrets,
  selectRefs,
} from '@floe/storage/database'
import type { ReaderLimits } from '@floe/storage/icechunk'
import type { SecretBox } from '@floe/storage/secrets'
import type { Logger } from 'pino'
import { Catalogs } from '../catalog/catalogs.ts'
import { type OpenedSources, openSources } from '../catalog/sources/open-sources.ts'
import { ScanQueues } from '../catalog/sources/scan-queues.ts'
import { makeLinkEvent } from '../events/link-event.ts'
import { DatabaseClock } from '../notifications/database-clock.ts'
import { type Notifier, openNotifier } from '../notifications/notifier.ts'
import type { ReceiverProxy } from '../notifications/receivers/receiver-proxy.ts'
import { FaultLog } from '../observation/fault-log.ts'
import { createMetrics, type Metrics } from '../observation/metrics.ts'
import { type FormatLine, openLog } from '../observation/open-log.ts'
import { StateLog } from '../observation/state-log.ts'
import manifest from '../package.json' with { type: 'json' }
import { openReading, type Reading } from './open-reading.ts'
import { guardCallbacks, type SharedTiming, type Timing } from '../timing.ts'
import { listDeclaredKeys } from './configuration/declared-keys.ts'
import { makeProcessLimits, makeReaderLimits, type ProcessLimits } from './configuration/sections/limits.ts'
import { openSecretBox } from './configuration/open-secret-box.ts'
import { type ReceiverCertificates, readReceiverCertificates } from './configuration/read-certificates.ts'
import { readProxy } from './configuration/read-proxy.ts'
import type { Config } from './configuration/schema.ts'
import { openServiceDatabase } from './open-service-database.ts'

/**
 * The parts of a service. Of them, only a reader thread is started. Destroy `db` when everything else has stopped, and
 * close the readers.
 */
export type Parts = Foundation & {
  readonly declaredKeys: readonly DeclaredApiKey[]
  readonly catalogs: Catalogs
  readonly reading: Reading
  readonly notifier: Notifier
}

/** What the catalogs and the notifier are built on. */
type Foundation = {
  readonly log: Logger
  readonly faults: FaultLog
  readonly states: StateLog
  readonly metrics: Metrics
  readonly clock: DatabaseClock
  /** Its clock is the clock of the database. */
  readonly timing: SharedTiming
  readonly secrets: SecretBox
  readonly db: LanedDatabase
  /** A reload of the configuration changes the members of `limits` and of `readerLimits`. */
  readonly limits: ProcessLimits
  readonly readerLimits: ReaderLimits
}

/**
 * Opens the parts of a service.
 *
 * @param environment the variables of the process, which may name a proxy
 * @param formatLine shows a line of the log to people; undefined for JSON
 * @param stop ends the wait for a locked database
 * @throws ConfigError, KeyFileError, UnknownKeyError, LocationError, DatabaseError when the configuration cannot be
 * used; nothing is left open then
 */
export async function openParts(
  config: Config,
  processTiming: Timing,
  environment: Readonly<Record<string, string | undefined>>,
  formatLine?: FormatLine,
  stop?: AbortSignal,
): Promise<Parts> {
  // Before the database is opened, so that a mistake here, such as a misspelt location, does not create one.
  const declaredKeys = listDeclaredKeys(config)
  const sources = await openSources(config)
  const secrets = openSecretBox(config)
  const certificates = await readReceiverCertificates(config.notifications)
  const proxy = readProxy(config.notifications, environment)
  const log = openLog(config.log.level, { formatLine })
  const metrics = createMetrics()
  const faults = new FaultLog(processTiming.elapsed, log)
  const timing = guardCallbacks(processTiming, (error) => {
    metrics.timerFaults.inc()
    faults.note(error, 'a timer failed')
  })
  const limits = makeProcessLimits(config.limits)
  const readerLimits = makeReaderLimits(limits)
  const reading = openReading({ maxBytes: config.cache.maxBytes, readerLimits, timing, metrics })
  // A thread loads its modules while the database is opened, so that the first question need not wait for them.
  reading.readers.start()
  let db: LanedDatabase | undefined
  try {
    db = await openServiceDatabase(() => openDatabase(config.database), { elapsed: processTiming.elapsed, log, stop })
    await resealSecrets(db, secrets)
    const states = new StateLog(processTiming.elapsed, log)
    const clock = new DatabaseClock(db.urgent, timing)
    await clock.refresh()
    const base = { log, faults, states, metrics, clock, timing: clock.timing, secrets, db, limits, readerLimits }
    const isScanner = (sourceId: string): boolean => notifier.replica.isPolling(sourceId)
    const catalogs = openCatalogs(sources, config, base, isScanner)
    const notifier = openNotifications(config, base, { catalogs, reading, certificates, proxy })
    return { ...base, declaredKeys, catalogs, reading, notifier }
  } catch (error) {
    await Promise.all([db?.destroy(), reading.readers.close()])
    throw error
  }
}

type WayToReceivers = { readonly certificates: ReceiverCertificates; readonly proxy: ReceiverProxy | undefined }

/** @param isScanner whether this replica scans the source with this id */
function openCatalogs(
  sources: OpenedSources,
  { cache }: Config,
  { db, timing, limits, readerLimits, states, faults }: Foundation,
  isScanner: (sourceId: string) => boolean,
): Catalogs {
  const onError = (error: unknown) => faults.note(error, 'notifications failed')
  return new Catalogs(sources, {
    ensureIds: batchRegistrations(db, () => new Date(timing.now())),
    timing,
    limits: readerLimits,
    scanLimits: limits,
    missMaxAgeMs: cache.refMaxAge,
    queues: new ScanQueues(),
    shared: { ...openSourceRecords(db), isScanner, onError },
    states,
  })
}

function openNotifications(
  { database, listenUrl, notifications, expectations, search, baseUrl, deployments }: Config,
  { db, clock, secrets, metrics, states, faults, log }: Foundation,
  { catalogs, reading, ...way }: Pick<Parts, 'catalogs' | 'reading'> & WayToReceivers,
): Notifier {
  return openNotifier({
    db,
    listenUrl: listenUrl ?? database,
    clock,
    secrets,
    catalogs: catalogs.byOrg,
    settings: { ...notifications, expectations },
    alwaysWatched: selectRefs({ events: [], branches: search.enabled ? search.branches : [] }),
    ...way,
    version: manifest.version,
    linkEvent: makeLinkEvent({ baseUrl, deployments }),
    resolveHost,
    readers: reading.readers,
    metrics,
    states,
    log,
    onHeartbeat: () => faults.noteAnswer(),
    onError: (error) => faults.note(error, 'notifications failed'),
  })
}
