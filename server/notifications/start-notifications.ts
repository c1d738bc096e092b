// The room as a whole: heads are watched, moves recorded, deliveries brought to their receivers, old records deleted.
import { readFile } from 'node:fs/promises'
import { applyDeclaredConfigurations, type Database, type DeclaredConfiguration } from '@floe/storage/database'
import { ConfigError } from '../config/load-config.ts'
import type { Notifications } from '../config/notifications.ts'
import type { Catalog, RememberRepository } from '../metadata/catalog.ts'
import { addressRules } from './deliver/address-rules.ts'
import { attempt, type AttemptContext } from './deliver/attempt.ts'
import { chatServiceOf } from './deliver/chat-service.ts'
import { databaseQueue } from './deliver/database-queue.ts'
import { Deliverer } from './deliver/deliverer.ts'
import { openPoster } from './deliver/post.ts'
import { resolveHost } from './deliver/resolve-host.ts'
import { startRetention } from './retention.ts'
import type { Timing } from './timing.ts'
import { HeadWatcher } from './watch/watch.ts'

/** What notifications work with. */
export type NotificationParts = {
  readonly db: Database
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly remember: RememberRepository
  readonly settings: Notifications
  /** Of Floe, told to receivers. */
  readonly version: string
  readonly timing: Timing
  /** Hears of what fails in the background; everything goes on. */
  readonly onError: (error: unknown) => void
}

/** Notifications that go out until they are stopped. */
export type RunningNotifications = {
  readonly watcher: HeadWatcher
  /** Resolves when attempts under way have ended and are recorded. */
  readonly stop: () => Promise<void>
}

/** An exchange with a receiver may take this long in all, in milliseconds. */
const exchangeBudgetMs = 5_000

/**
 * Applies the declared receivers, then begins to watch and to deliver.
 *
 * @throws ConfigError when the file of extra certificates cannot be read
 */
export async function startNotifications(parts: NotificationParts): Promise<RunningNotifications> {
  const { db, catalogs, settings, timing, onError } = parts
  const poster = openPoster({
    rules: addressRules(settings.allowPrivateNetworks),
    resolveHost,
    extraCa: settings.extraCaFile === null ? undefined : await readCertificates(settings.extraCaFile),
  })
  await applyDeclared(parts)
  const context: AttemptContext = {
    post: poster.post,
    version: parts.version,
    now: timing.now,
    random: timing.random,
    startBudget: () => AbortSignal.timeout(exchangeBudgetMs),
  }
  const queue = databaseQueue(db, timing.now)
  const deliverer = new Deliverer({ queue, attempt: (claim) => attempt(claim, context), now: timing.now, onError })
  const watcher = new HeadWatcher({
    db,
    catalogs,
    maxCommits: settings.maxCommits,
    pollIntervalMs: settings.pollInterval,
    timing,
    onHeadMove: () => deliverer.wake(),
    onError,
  })
  const stopRetention = startRetention(db, timing, onError)
  return {
    watcher,
    stop: async () => {
      await Promise.all([watcher.stop(), stopRetention()])
      await deliverer.stop()
      poster.close()
    },
  }
}

/** Receivers that the file does not declare any more go too, so every repository has its turn. */
async function applyDeclared({ db, catalogs, remember, settings, timing }: NotificationParts): Promise<void> {
  const declared = declaredByRepository(settings)
  for (const [org, catalog] of catalogs) {
    const names = await catalog.names(AbortSignal.timeout(30_000))
    const ofOrg = declared.get(org) ?? new Map<string, DeclaredConfiguration[]>()
    for (const name of new Set([...names, ...ofOrg.keys()])) {
      const repoId = await remember(org, name)
      await applyDeclaredConfigurations(db, repoId, ofOrg.get(name) ?? [], new Date(timing.now()))
    }
  }
}

/** By organisation, then by name of the repository. */
function declaredByRepository({ webhooks, chats }: Notifications): Map<string, Map<string, DeclaredConfiguration[]>> {
  const byOrg = new Map<string, Map<string, DeclaredConfiguration[]>>()
  const declare = (org: string, repo: string, configuration: DeclaredConfiguration) => {
    const byName = byOrg.get(org) ?? new Map<string, DeclaredConfiguration[]>()
    byOrg.set(org, byName)
    byName.set(repo, [...(byName.get(repo) ?? []), configuration])
  }
  for (const { org, repo, ...webhook } of webhooks) declare(org, repo, { kind: 'webhook', service: null, ...webhook })
  for (const { org, repo, service, ...chat } of chats) {
    const host = chatServiceOf(new URL(chat.url)) ?? null
    declare(org, repo, { kind: 'chat', secretToken: null, service: service ?? host, ...chat })
  }
  return byOrg
}

async function readCertificates(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`notifications.extraCaFile cannot be read: ${reason}`, { cause })
  }
}
