// Notifications of one process, put together: the watcher records head moves, the deliverer sends them to receivers, and the clean-up
// deletes old records.
import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { Catalog } from '../catalog/catalog.ts'
import type { RememberRepositories } from '../catalog/catalog.ts'
import type { Metrics } from '../http/observation/metrics.ts'
import type { Timing } from '../timing.ts'
import { startCleanUp } from './clean-up.ts'
import type { DatabaseClock } from './database-clock.ts'
import { attempt, type AttemptContext, cacheOpenedSecrets } from './deliver/attempt.ts'
import { Deliverer } from './deliver/deliverer.ts'
import { openPoster } from './post/post.ts'
import { makeAddressRules } from './receivers/address-rules.ts'
import { applyDeclared, type DeclaredReceivers } from './declared-receivers.ts'
import type { ResolveHost } from './receivers/resolve-host.ts'
import { Replica } from './replica.ts'
import { ReplicaSignals } from './replica-signals.ts'
import { HeadWatcher } from './watch/head-watcher.ts'

/** How heads are watched, which addresses may be sent to, and the receivers that the configuration declares. */
type NotificationSettings = DeclaredReceivers & {
  /** In milliseconds. */
  readonly pollInterval: number
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** Networks, as CIDR, whose addresses receivers may have although they are private. */
  readonly allowPrivateNetworks: readonly string[]
}

export type NotificationParts = {
  readonly db: Database
  /** Address of the same database. */
  readonly databaseUrl: string
  readonly clock: DatabaseClock
  /** Encrypts and decrypts the secrets in the database. */
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly remember: RememberRepositories
  readonly settings: NotificationSettings
  /** Certificates of authorities, as PEM, that are trusted besides those of Node.js. */
  readonly extraCa?: string | undefined
  /** Version of Floe, which receivers see in `User-Agent`. */
  readonly version: string
  readonly resolveHost: ResolveHost
  readonly metrics: Metrics
  /** Called with failures in the background, which stop nothing. */
  readonly onError: (error: unknown) => void
}

/** Notifications of one process. Before `start`, heads are checked only on request, and nothing is delivered. */
export type Notifier = ReturnType<typeof openNotifier>

/** Makes all parts of notifications and connects them. Nothing runs before `start`. */
export function openNotifier(parts: NotificationParts) {
  const { db, databaseUrl: url, clock, secrets, settings, extraCa, version, resolveHost, metrics, onError } = parts
  const { timing } = clock
  const rules = makeAddressRules(settings.allowPrivateNetworks)
  const poster = openPoster({ rules, resolveHost, extraCa, timing })
  const attemptContext: AttemptContext = { post: poster.post, secrets: cacheOpenedSecrets(secrets), version, timing }
  const deliverer = new Deliverer({ db, attempt: (claim) => attempt(claim, attemptContext), timing, metrics, onError })
  const replica = new Replica({ db, clock, onError, onChange: () => watcher.review() })
  const signals = new ReplicaSignals({ db, url, timing, onError })
  const watcher = openWatcher(parts, timing, replica, () => signals.send('deliveries'))
  signals.on('deliveries', () => deliverer.wake())
  signals.on('receivers', () => watcher.review())
  signals.on('replicas', () => void replica.renew())
  let stopCleanUp = async () => {}
  let hasStarted = false
  return {
    watcher,
    deliverer,
    replica,
    /** How deliveries are sent, so that a receiver can be tried the same way. */
    attemptContext,
    rules,
    resolveHost,
    maxCommits: settings.maxCommits,
    /** Call this when deliveries have been recorded or have become due again, or when receivers have changed. */
    tell: (what: 'deliveries' | 'receivers') => signals.send(what),
    /** Adds something that happens when this process or another may have recorded events. */
    onEvents: (callback: () => void) => signals.on('deliveries', callback),
    /** Applies declared receivers, in place of those that were declared before. */
    declare: async (settings: DeclaredReceivers) => {
      await applyDeclared({ ...parts, timing, settings })
      signals.send('receivers')
      // A receiver that has moved is sent what was held for it.
      signals.send('deliveries')
    },
    /** Applies the declared receivers, then begins to watch and to deliver. */
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
    /** Resolves when the attempts under way have ended and are recorded. */
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

function openWatcher(parts: NotificationParts, timing: Timing, replica: Replica, onHeadMove: () => void): HeadWatcher {
  const { maxCommits, pollInterval: pollIntervalMs } = parts.settings
  const isPolling = (repoId: string) => replica.isPolling(repoId)
  return new HeadWatcher({ ...parts, timing, maxCommits, pollIntervalMs, isPolling, onHeadMove })
}
