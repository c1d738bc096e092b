// Notifications of one process: the watcher records head moves, the deliverer sends them to receivers, and the clean-up
// deletes old records.
import { makeAddressRules, type ResolveHost } from '@floe/storage/addresses'
import {
  type ClaimedDelivery,
  type FinishedAttempt,
  type LanedDatabase,
  type RefSelection,
  ReplicaSignals,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { Logger } from 'pino'
import type { Catalog } from '../catalog/catalog.ts'
import type { LinkEvent } from '../events/link-event.ts'
import type { Metrics } from '../observation/metrics.ts'
import type { StateLog } from '../observation/state-log.ts'
import type { ReaderPool } from '../reading/threads/reader-pool.ts'
import { makeCleanUp } from './clean-up.ts'
import type { DatabaseClock } from './database-clock.ts'
import { attempt, type AttemptContext } from './deliver/attempt.ts'
import { AttemptLog } from './deliver/attempt-log.ts'
import { chooseMaxInFlight } from './deliver/choose-max-in-flight.ts'
import { Deliverer } from './deliver/deliverer.ts'
import { type Life, openPoster, type Poster, type PosterOptions } from './post/post.ts'
import type { ReceiverProxy } from './receivers/receiver-proxy.ts'
import { type BrokerRule, openBrokers } from './brokers/brokers.ts'
import { applyDeclared, type Declarations } from './declarations.ts'
import { Replica } from './replica.ts'
import { HeadWatcher } from './watch/head-watcher.ts'

export type NotificationParts = {
  readonly db: LanedDatabase
  /** Address of the same database, at which this process listens for signals of others. */
  readonly listenUrl: string
  readonly clock: DatabaseClock
  /** Encrypts and decrypts the secrets in the database. */
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly settings: Declarations & {
    /** Time between two polls of a followed repository, in milliseconds; see `WantedSelection`. */
    readonly pollInterval: number
    /** Networks in CIDR form in which receivers may have private addresses. */
    readonly allowPrivateNetworks: readonly string[]
    /** Whether receivers may have `http` URLs that lead to this machine. */
    readonly allowHttpLoopback: boolean
    /** Message brokers that webhooks may send to. Default: none. */
    readonly brokers?: readonly BrokerRule[]
  }
  /** What is watched of every repository besides `main`, whatever receivers and streams select. */
  readonly alwaysWatched: RefSelection
  readonly certificates?: Pick<PosterOptions, 'extraCa' | 'clientCertificates'>
  /** The way to receivers. Default: none. */
  readonly proxy?: ReceiverProxy | undefined
  /** Version of Floe, which receivers see in `User-Agent`. */
  readonly version: string
  /** Finds the page that a message for chats links to. Default: none. */
  readonly linkEvent?: LinkEvent | undefined
  readonly resolveHost: ResolveHost
  /** Finds what head moves have changed. */
  readonly readers: Pick<ReaderPool, 'ask'>
  readonly metrics: Metrics
  /** Logs head moves, and repositories that cannot be read. */
  readonly states: StateLog
  /** Gets lines about deliveries that fail. */
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Called when the database has taken a heartbeat. */
  readonly onHeartbeat: () => void
  /** Called with failures in the background; the work goes on. */
  readonly onError: (error: unknown) => void
}

/** Notifications of one process. Before `start`, heads are checked only on request, and nothing is delivered. */
export type Notifier = ReturnType<typeof openNotifier>

/** Opens the notifications of a process. */
export function openNotifier(parts: NotificationParts) {
  const { db, listenUrl: url, clock, secrets, version, linkEvent, onError } = parts
  const { timing } = clock
  const hostCheck = makeHostCheck(parts)
  const poster = openPoster({ ...hostCheck, ...parts.certificates, timing })
  const findBroker = openBrokers(parts.settings.brokers ?? [])
  const attemptContext: AttemptContext = { post: poster.post, secrets, version, linkEvent, findBroker, timing }
  const replica = new Replica({
    ...parts,
    db: db.urgent,
    onChange: () => {
      watcher.review()
      // Those of dead replicas are due again.
      signals.send('deliveries')
    },
  })
  const deliverer = openDeliverer(parts, replica, attemptContext)
  const signals = new ReplicaSignals({ db, url, ...timing, onError })
  const watcher = openWatcher(parts, replica, () => signals.send('deliveries'))
  signals.on('deliveries', () => deliverer.wake())
  for (const signal of ['receivers', 'selections'] as const) signals.on(signal, () => watcher.review())
  signals.on('replicas', () => void replica.renew())
  const cleanUp = makeCleanUp(db, timing, onError)
  // The deliveries of deleted receivers.
  signals.on('receivers', () => cleanUp.wake())
  let hasStarted = false
  return {
    watcher,
    deliverer,
    replica,
    /** What an attempt needs. Tests of receivers send with it too. */
    attemptContext,
    // What the URL of a receiver is checked with.
    ...hostCheck,
    /**
     * Call this when deliveries were recorded or have become due again, when receivers have changed, or when streams
     * select other refs or others are expected.
     */
    signal: (what: 'deliveries' | 'receivers' | 'selections') => signals.send(what),
    /** Adds a callback for events that this process or another may have recorded. */
    onEvents: (callback: () => void) => signals.on('deliveries', callback),
    /** Replaces what is declared. */
    declare: async (settings: Declarations) => {
      await applyDeclared({ ...parts, timing, settings })
      signals.send('receivers')
      // A receiver with a new URL gets the deliveries that were held for it.
      signals.send('deliveries')
    },
    /** Applies what is declared, then starts to watch and to deliver. */
    start: async () => {
      await applyDeclared({ ...parts, timing })
      deliverer.start()
      await replica.start()
      await signals.start()
      watcher.start()
      void cleanUp.start()
      hasStarted = true
    },
    hasStarted: () => hasStarted,
    /** Resolves when the attempts under way are recorded. */
    stop: () => stopParts({ deliverer, cleanUp, watcher, replica, signals, poster }),
  }
}

function makeHostCheck({ settings, resolveHost, proxy }: NotificationParts) {
  const { allowPrivateNetworks, allowHttpLoopback } = settings
  return { rules: makeAddressRules(allowPrivateNetworks), allowHttpLoopback, resolveHost, proxy }
}

async function stopParts({
  deliverer,
  cleanUp,
  watcher,
  replica,
  signals,
  poster,
}: {
  readonly deliverer: Deliverer
  readonly cleanUp: ReturnType<typeof makeCleanUp>
  readonly watcher: HeadWatcher
  readonly replica: Replica
  readonly signals: ReplicaSignals
  readonly poster: Poster
}): Promise<void> {
  // The leases of attempts under way end with the replica, so these come first.
  await Promise.all([deliverer.stop(), cleanUp.stop()])
  await watcher.stop()
  await replica.stop()
  signals.send('replicas')
  await Promise.all([signals.stop(), poster.close()])
}

function openDeliverer(parts: NotificationParts, replica: Replica, context: AttemptContext): Deliverer {
  const { timing } = parts.clock
  const maxInFlight = chooseMaxInFlight(process.constrainedMemory())
  const lines = new AttemptLog(timing.elapsed, parts.log)
  const onRecorded = (finished: FinishedAttempt) => lines.note(finished)
  const send = (claim: ClaimedDelivery, life: Life) =>
    attempt(claim, { ...context, post: (request) => context.post(request, life) })
  const onError = (error: unknown, claim?: ClaimedDelivery) => {
    if (claim === undefined) parts.onError(error)
    else lines.noteUnsent(claim, error)
  }
  return new Deliverer({ ...parts, timing, replica, maxInFlight, attempt: send, onRecorded, onError })
}

function openWatcher(parts: NotificationParts, replica: Replica, onEvent: () => void): HeadWatcher {
  const { pollInterval: pollIntervalMs } = parts.settings
  const share = { listPartitions: () => replica.partitions, isPolling: (repoId: string) => replica.isPolling(repoId) }
  return new HeadWatcher({ ...parts, ...share, timing: parts.clock.timing, pollIntervalMs, onEvent })
}
