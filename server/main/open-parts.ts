// Makes the parts of a service from its configuration. Each part is made before those that need it.
import {
  type Database,
  type DeclaredApiKey,
  openDatabase,
  rememberRepositories,
  resealSecrets,
} from '@floe/storage/database'
import type { ReaderLimits } from '@floe/storage/icechunk'
import type { SecretBox } from '@floe/storage/secrets'
import type { Logger } from 'pino'
import { listDeclaredKeys } from './configuration/declared-keys.ts'
import { type Limits, makeReaderLimits } from './configuration/limits.ts'
import { openSecretBox } from './configuration/open-secret-box.ts'
import { readCertificates } from './configuration/read-certificates.ts'
import type { Config } from './configuration/schema.ts'
import { type Notifier, openNotifier } from '../notifications/notifier.ts'
import manifest from '../package.json' with { type: 'json' }
import { createMetrics, type Metrics } from '../http/observation/metrics.ts'
import { openLog } from '../http/observation/open-log.ts'
import { resolveHost } from '../notifications/receivers/resolve-host.ts'
import { DatabaseClock } from '../notifications/database-clock.ts'
import type { RememberRepositories } from '../catalog/catalog.ts'
import { Catalogs } from '../catalog/catalogs.ts'
import { OpenSources } from '../catalog/open-sources.ts'
import type { Timing } from '../timing.ts'

/** The parts of a service, none of them at work yet. */
export type Parts = {
  /** Its clock is the one of the database. */
  readonly timing: Timing
  /** The API keys that the configuration declares. */
  readonly declaredKeys: readonly DeclaredApiKey[]
  /** Encrypts and decrypts the secrets in the database. */
  readonly secrets: SecretBox
  /** Destroy it when everything else has stopped. */
  readonly db: Database
  readonly sources: OpenSources
  readonly catalogs: Catalogs
  /** Those of the configuration. Some of them change when it is read again. */
  readonly limits: Limits
  /** Limits of the repositories, made of those. */
  readonly readerLimits: ReaderLimits
  readonly notifier: Notifier
  readonly metrics: Metrics
  readonly log: Logger
}

/**
 * Opens the parts of a service.
 *
 * @throws ConfigError, KeyFileError, UnknownKeyError, LocationError, DatabaseError when the configuration cannot be used; nothing is
 * left open then
 */
export async function openParts(config: Config, processTiming: Timing): Promise<Parts> {
  // Before the database, so that a mistake here, such as a misspelt location, does not create one.
  const declaredKeys = listDeclaredKeys(config)
  const sources = new OpenSources()
  const opened = await sources.open(config)
  const secrets = openSecretBox(config)
  const db = await openDatabase(config.database)
  try {
    // Before the first request, because a migration may have left secrets that are not sealed yet.
    await resealSecrets(db, secrets)
    const log = openLog(config.log.level)
    const onError = (err: unknown) => log.error({ err }, 'notifications')
    const clock = new DatabaseClock(db, processTiming)
    await clock.refresh()
    const { timing } = clock
    const remember: RememberRepositories = (org, names) => rememberRepositories(db, org, names, new Date(timing.now()))
    const limits = { ...config.limits }
    const readerLimits = makeReaderLimits(limits)
    const options = { remember, timing, limits: readerLimits, missMaxAgeMs: config.cache.refMaxAge }
    const catalogs = new Catalogs((org) => ({
      ...options,
      onFailure: (err: unknown) => log.error({ err, org }, 'repositories cannot be listed'),
    }))
    catalogs.serve(opened)
    const metrics = createMetrics()
    const { extraCaFile } = config.notifications
    const extraCa = extraCaFile === null ? undefined : await readCertificates(extraCaFile)
    const notifier = openNotifier({
      db,
      databaseUrl: config.database,
      clock,
      secrets,
      catalogs: catalogs.byOrg,
      remember,
      settings: config.notifications,
      extraCa,
      version: manifest.version,
      resolveHost,
      metrics,
      onError,
    })
    return { timing, declaredKeys, secrets, db, sources, catalogs, limits, readerLimits, notifier, metrics, log }
  } catch (error) {
    await db.destroy()
    throw error
  }
}
