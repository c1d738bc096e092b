// Notifications of one process, put together: the watcher records head moves, the deliverer sends them to receivers, and the clean-up
// deletes old records.
import { readFile } from 'node:fs/promises'
import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { ConfigError } from '../config/load-config.ts'
import type { Notifications } from '../config/notifications.ts'
import type { Catalog, RememberRepository } from '../repositories/catalog.ts'
import { type AddressRules, makeAddressRules } from '../receivers/address-rules.ts'
import type { ResolveHost } from '../receivers/resolve-host.ts'
import type { Timing } from '../timing.ts'
import { CleanUp } from './clean-up.ts'
import { applyDeclared } from './declared-receivers.ts'
import { attempt, type AttemptContext } from './deliver/attempt.ts'
import { Deliverer, openQueue } from './deliver/deliverer.ts'
import { openPoster } from './deliver/post.ts'
import { startBudget } from './deliver/start-budget.ts'
import { HeadWatcher } from './watch/head-watcher.ts'

/** What notifications work with. */
export type NotificationParts = {
  readonly db: Database
  /** Encrypts and decrypts the secrets in the database. */
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly remember: RememberRepository
  readonly settings: Notifications
  /** Version of Floe, which receivers see in `User-Agent`. */
  readonly version: string
  readonly resolveHost: ResolveHost
  readonly timing: Timing
  /** Called with failures in the background, which stop nothing. */
  readonly onError: (error: unknown) => void
}

/** Notifications of one process. Before `start`, heads are checked only on request, and nothing is delivered. */
export type Notifier = {
  readonly watcher: HeadWatcher
  /** How deliveries are sent, so that a receiver can be tried the same way. */
  readonly attempts: AttemptContext
  /** Which addresses receivers may have. */
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** Call this when deliveries have been recorded or have become due again. */
  readonly wake: () => void
  /** Applies the declared receivers, then begins to watch and to deliver. */
  readonly start: () => Promise<void>
  /** Resolves when the attempts under way have ended and are recorded. */
  readonly stop: () => Promise<void>
}

/** Longest exchange with a receiver, in milliseconds. */
const exchangeBudgetMs = 5_000

/**
 * Makes all parts of notifications and connects them. Nothing runs before `start`.
 *
 * @throws ConfigError when the file of extra certificates cannot be read
 */
export async function openNotifier(parts: NotificationParts): Promise<Notifier> {
  const { db, secrets, catalogs, settings, version, resolveHost, timing, onError } = parts
  const { maxCommits, pollInterval: pollIntervalMs, extraCaFile } = settings
  const { now, random } = timing
  const rules = makeAddressRules(settings.allowPrivateNetworks)
  const extraCa = extraCaFile === null ? undefined : await readCertificates(extraCaFile)
  const poster = openPoster({ rules, resolveHost, extraCa })
  const startExchangeBudget = () => startBudget(exchangeBudgetMs, timing)
  const attempts: AttemptContext = {
    post: poster.post,
    secrets,
    version,
    timing,
    random,
    startBudget: startExchangeBudget,
  }
  const deliverer = new Deliverer({
    queue: openQueue(db, now),
    attempt: (claim) => attempt(claim, attempts),
    timing,
    onError,
  })
  const wake = () => deliverer.wake()
  const watcher = new HeadWatcher({ db, catalogs, maxCommits, pollIntervalMs, timing, onHeadMove: wake, onError })
  const cleanUp = new CleanUp(db, timing, onError)
  return {
    watcher,
    attempts,
    rules,
    resolveHost,
    maxCommits,
    wake,
    start: async () => {
      await applyDeclared(parts)
      deliverer.start()
      watcher.start()
      cleanUp.start()
    },
    stop: async () => {
      await Promise.all([watcher.stop(), cleanUp.stop()])
      await deliverer.stop()
      poster.close()
    },
  }
}

async function readCertificates(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`notifications.extraCaFile cannot be read: ${reason}`, { cause })
  }
}
