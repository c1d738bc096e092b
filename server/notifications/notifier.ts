// Notifications of one process: the watcher records head moves, the deliverer sends them to receivers, and the clean-up deletes old
// records.
import { makeAddressRules, type ResolveHost } from '@floe/storage/addresses'
import type { FinishedAttempt, LanedDatabase, WatchedSelection } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { Logger } from 'pino'
import type { Catalog } from '../catalog/catalog.ts'
import type { Metrics } from '../http/observation/metrics.ts'
import type { StateLog } from '../http/observation/state-log.ts'
import type { ReaderPool } from '../reading/threads/reader-pool.ts'
import { startCleanUp } from './clean-up.ts'
import type { DatabaseClock } from './database-clock.ts'
import { attempt, type AttemptContext, cacheOpenedSecrets } from './deliver/attempt.ts'
import { AttemptLog } from './deliver/attempt-log.ts'
import { Deliverer } from './deliver/deliverer.ts'
import { openPoster } from './post/post.ts'
import { applyDeclared, type DeclaredReceivers } from './declared-receivers.ts'
import { Replica } from './replica.ts'
import { ReplicaSignals } from './replica-signals.ts'
import { HeadWatcher } from './watch/head-watcher.ts'

type NotificationSettings = DeclaredReceivers & {
  /** In milliseconds. */
  readonly pollInterval: number
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** The most deliveries under way to receivers that accepted the last one. */
  readonly maxInFlight: number
  /** Networks in CIDR form, whose private addresses receivers may have. */
  readonly allowPrivateNetworks: readonly string[]
  /** Whether receivers may have `http` URLs that lead to this machine. */
  readonly allowHttpLoopback: boolean
}

export type NotificationParts = {
  readonly db: LanedDatabase
  /** Address of the same database. */
  readonly databaseUrl: string
  readonly clock: DatabaseClock
  /** Encrypts and decrypts the secrets in the database. */
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly settings: NotificationSettings
  /** What is watched of every repository besides `main`, whatever receivers and streams select. */
  readonly alwaysWatched: WatchedSelection
  /** Certificates of authorities in PEM form, trusted in addition to those of Node.js. */
  readonly extraCa?: string | undefined
  /** Version of Floe, which receivers see in `User-Agent`. */
  readonly version: string
  readonly resolveHost: ResolveHost
  /** Finds what head moves have changed. */
  readonly readers: Pick<ReaderPool, 'ask'>
  readonly metrics: Metrics
  /** Told of head moves, and of checks of repositories that fail. */
  readonly states: StateLog
  /** Gets lines about deliveries that fail. */
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Called when the database has taken a heartbeat. */
  readonly onHeartbeat: () => void
  /** Called with failures in the background, which stop nothing. */
  readonly onError: (error: unknown) => void
}

/** Notifications of one process. Before `start`, heads are checked only on request, and nothing is delivered. */
export type Notifier = ReturnType<typeof openNotifier>

export function openNotifier(parts: NotificationParts) {
  const { db, databaseUrl: url, clock, secrets, settings, extraCa, version, resolveHost, onError } = parts
  const { timing } = clock
  const { allowPrivateNetworks, allowHttpLoopback } = settings
  const hostCheck = { rules: makeAddressRules(allowPrivateNetworks), allowHttpLoopback, resolveHost }
  const poster = openPoster({ ...hostCheck, extraCa, timing })
  const attemptContext: AttemptContext = { post: poster.post, secrets: cacheOpenedSecrets(secrets), version, timing }
  const deliverer = openDeliverer(parts, attemptContext)
  const replica = new Replica({ ...parts, db: db.urgent, onChange: () => watcher.review() })
  const signals = new ReplicaSignals({ db, url, timing, onError })
  const watcher = openWatcher(parts, replica, () => signals.send('deliveries'))
  signals.on('deliveries', () => deliverer.wake())
  signals.on('receivers', () => watcher.review())
  signals.on('replicas', () => void replica.renew())
  let stopCleanUp = async () => {}
  let hasStarted = false
  return {
    watcher,
    deliverer,
    replica,
    /** How deliveries are sent. Tests of receivers use the same. */
    attemptContext,
    /** What the URL of a receiver is checked with. */
    ...hostCheck,
    maxCommits: settings.maxCommits,
    /** Call this when deliveries were recorded or have become due again, or when receivers have changed. */
    signal: (what: 'deliveries' | 'receivers') => signals.send(what),
    /** Adds a callback for events that this process or another may have recorded. */
    onEvents: (callback: () => void) => signals.on('deliveries', callback),
    /** Replaces the declared receivers. */
    declare: async (settings: DeclaredReceivers) => {
      await applyDeclared({ ...parts, timing, settings })
      signals.send('receivers')
      // A receiver with a new URL gets the deliveries that were held for it.
      signals.send('deliveries')
    },
    /** Applies the declared receivers, then starts to watch and to deliver. */
    start: async () => {
      await applyDeclared({ ...parts, timing })
      deliverer.start()
      await replica.renew()
      await signals.start()
      watcher.start()
      stopCleanUp = startCleanUp(db, timing, onError)
      hasStarted = true
    },
    hasStarted: () => hasStarted,
    /** Resolves when the attempts under way are recorded. */
    stop: async () => {
      await Promise.all([watcher.stop(), stopCleanUp()])
      await replica.stop()
      signals.send('replicas')
      await deliverer.stop()
      await signals.stop()
      await poster.close()
    },
  }
}

function openDeliverer(parts: NotificationParts, context: AttemptContext): Deliverer {
  const { timing } = parts.clock
  const { maxInFlight } = parts.settings
  const lines = new AttemptLog(timing.elapsed, parts.log)
  const onRecorded = (finished: FinishedAttempt) => lines.note(finished)
  return new Deliverer({ ...parts, timing, maxInFlight, attempt: (claim) => attempt(claim, context), onRecorded })
}

function openWatcher(parts: NotificationParts, replica: Replica, onEvent: () => void): HeadWatcher {
  const { maxCommits, pollInterval: pollIntervalMs } = parts.settings
  const share = { listShards: () => replica.shards, isPolling: (repoId: string) => replica.isPolling(repoId) }
  return new HeadWatcher({ ...parts, ...share, timing: parts.clock.timing, maxCommits, pollIntervalMs, onEvent })
}
