// Notifications of one process, put together: the watcher records head moves, the deliverer sends them to receivers, and the clean-up
// deletes old records.
import type { ClaimedDelivery, Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { Catalog } from '../catalog/catalog.ts'
import type { RememberRepositories } from '../catalog/catalog-entries.ts'
import type { Metrics } from '../http/observation/metrics.ts'
import { type AddressRules, makeAddressRules } from './receivers/address-rules.ts'
import type { ResolveHost } from './receivers/resolve-host.ts'
import type { Replica } from './replicas/replica.ts'
import type { ReplicaParts } from './replicas/open-replica.ts'
import { CleanUp } from './clean-up.ts'
import { applyDeclared, type DeclaredReceivers } from './receivers/declared-receivers.ts'
import { attempt, type AttemptContext } from './deliver/attempt.ts'
import { Deliverer, openQueue } from './deliver/deliverer.ts'
import { OpenReceivers } from './deliver/open-receivers.ts'
import { openPoster } from './post/post.ts'
import { startBudget } from './post/start-budget.ts'
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

/** What notifications work with. The notifier starts and stops the parts of the replica. */
export type NotificationParts = ReplicaParts & {
  readonly db: Database
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
export type Notifier = {
  readonly watcher: HeadWatcher
  readonly deliverer: Pick<Deliverer, 'underWay'>
  readonly replica: Pick<Replica, 'count' | 'shardCount'>
  /** How deliveries are sent, so that a receiver can be tried the same way. */
  readonly attemptContext: AttemptContext
  /** Which addresses receivers may have. */
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** Call this when deliveries have been recorded or have become due again, or when receivers have changed. */
  readonly tell: (what: 'deliveries' | 'receivers') => void
  /** Adds something that happens when this process or another may have recorded events. */
  readonly onEvents: (callback: () => void) => void
  /** Applies declared receivers, in place of those that were declared before. */
  readonly declare: (settings: DeclaredReceivers) => Promise<void>
  /** Applies the declared receivers, then begins to watch and to deliver. */
  readonly start: () => Promise<void>
  /** Whether `start` has done so. */
  readonly hasStarted: () => boolean
  /** Resolves when the attempts under way have ended and are recorded. */
  readonly stop: () => Promise<void>
}

/** Longest exchange with a receiver, in milliseconds. */
const exchangeBudgetMs = 5_000

/** Makes all parts of notifications and connects them. Nothing runs before `start`. */
export function openNotifier(parts: NotificationParts): Notifier {
  const { db, settings, extraCa, resolveHost, timing, clock, replica, replicaSignals, metrics, onError } = parts
  const { maxCommits } = settings
  const rules = makeAddressRules(settings.allowPrivateNetworks)
  const poster = openPoster({ rules, resolveHost, extraCa })
  const attemptContext = makeAttemptContext(parts, poster.post)
  const queue = openQueue(db, clock)
  const send = (claim: ClaimedDelivery) => attempt(claim, attemptContext)
  const deliverer = new Deliverer({ queue, attempt: send, timing, metrics, onError })
  const watcher = makeWatcher(parts)
  replicaSignals.on('deliveries', () => deliverer.wake())
  replicaSignals.on('receivers', () => watcher.review())
  replicaSignals.on('replicas', () => void replica.renew())
  replica.onChange(() => watcher.review())
  const cleanUp = new CleanUp(db, timing, onError)
  let hasStarted = false
  return {
    watcher,
    deliverer,
    replica,
    attemptContext,
    rules,
    resolveHost,
    maxCommits,
    tell: (what) => replicaSignals.send(what),
    onEvents: (callback) => replicaSignals.on('deliveries', callback),
    declare: (settings) => declare(parts, settings),
    start: async () => {
      await applyDeclared(parts)
      deliverer.start()
      await replica.start()
      await replicaSignals.start()
      watcher.start()
      cleanUp.start()
      hasStarted = true
    },
    hasStarted: () => hasStarted,
    stop: async () => {
      await Promise.all([watcher.stop(), cleanUp.stop()])
      await replica.stop()
      replicaSignals.send('replicas')
      await deliverer.stop()
      await replicaSignals.stop()
      await poster.close()
    },
  }
}

function makeWatcher({ settings, replica, replicaSignals, ...parts }: NotificationParts): HeadWatcher {
  const { maxCommits, pollInterval: pollIntervalMs } = settings
  const onHeadMove = () => replicaSignals.send('deliveries')
  const isPolling = (repoId: string) => replica.isPolling(repoId)
  return new HeadWatcher({ ...parts, maxCommits, pollIntervalMs, isPolling, onHeadMove })
}

async function declare(parts: NotificationParts, settings: DeclaredReceivers): Promise<void> {
  await applyDeclared({ ...parts, settings })
  parts.replicaSignals.send('receivers')
  // A receiver that has moved is sent what was held for it.
  parts.replicaSignals.send('deliveries')
}

function makeAttemptContext(
  { secrets, version, timing }: NotificationParts,
  post: AttemptContext['post'],
): AttemptContext {
  return {
    post,
    receivers: new OpenReceivers(secrets),
    version,
    timing,
    random: timing.random,
    startBudget: () => startBudget(exchangeBudgetMs, timing),
  }
}
