// The room as a whole: heads are watched, moves recorded, deliveries brought to their receivers, old records deleted.
import { readFile } from 'node:fs/promises'
import {
  applyDeclaredReceivers,
  type Database,
  type DeclaredReceiver,
  listRepositoriesWithDeclared,
  resealSecrets,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { ConfigError } from '../config/load-config.ts'
import type { Notifications } from '../config/notifications.ts'
import type { Catalog, RememberRepository } from '../repositories/catalog.ts'
import { type AddressRules, makeAddressRules } from '../receivers/address-rules.ts'
import { attempt, type AttemptContext } from './deliver/attempt.ts'
import { detectChatService } from '../receivers/chat-service.ts'
import { Deliverer, openQueue } from './deliver/deliverer.ts'
import { openPoster, startBudget } from './deliver/post.ts'
import type { ResolveHost } from '../receivers/resolve-host.ts'
import { startRetention } from './retention.ts'
import type { Timing } from '../timing.ts'
import { HeadWatcher } from './watch/head-watcher.ts'

/** What notifications work with. */
export type NotificationParts = {
  readonly db: Database
  /** Opens and seals what the database holds sealed. */
  readonly secrets: SecretBox
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly remember: RememberRepository
  readonly settings: Notifications
  /** Of Floe, told to receivers. */
  readonly version: string
  readonly resolveHost: ResolveHost
  readonly timing: Timing
  /** Hears of what fails in the background; everything goes on. */
  readonly onError: (error: unknown) => void
}

/** Notifications of one process. Before the start, heads are looked at only when asked for, and nothing is delivered. */
export type Notifier = {
  readonly watcher: HeadWatcher
  /** How the deliverer sends, for whoever tries a receiver. */
  readonly attempts: AttemptContext
  /** Which addresses receivers may have. */
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** To be called when deliveries have been recorded, or are due again. */
  readonly wake: () => void
  /** Brings secrets under the present key and applies the declared receivers, then begins to watch and to deliver. */
  readonly start: () => Promise<void>
  /** Resolves when attempts under way have ended and are recorded. */
  readonly stop: () => Promise<void>
}

/** An exchange with a receiver may take this long in all, in milliseconds. */
const exchangeBudgetMs = 5_000

/**
 * Prepares notifications, so that nothing but the start is left when the service listens.
 *
 * @throws ConfigError when the file of extra certificates cannot be read
 */
export async function openNotifier(parts: NotificationParts): Promise<Notifier> {
  const { db, catalogs, settings, resolveHost, timing, onError } = parts
  const rules = makeAddressRules(settings.allowPrivateNetworks)
  const extraCa = settings.extraCaFile === null ? undefined : await readCertificates(settings.extraCaFile)
  const poster = openPoster({ rules, resolveHost, extraCa })
  const attempts: AttemptContext = {
    post: poster.post,
    secrets: parts.secrets,
    version: parts.version,
    now: timing.now,
    random: timing.random,
    startBudget: () => startBudget(exchangeBudgetMs),
  }
  let deliverer: Deliverer | undefined
  let stopRetention = async (): Promise<void> => {}
  const wake = (): void => deliverer?.wake()
  const { maxCommits, pollInterval: pollIntervalMs } = settings
  const watcher = new HeadWatcher({ db, catalogs, maxCommits, pollIntervalMs, timing, onHeadMove: wake, onError })
  return {
    watcher,
    attempts,
    rules,
    resolveHost,
    maxCommits,
    wake,
    start: async () => {
      await resealSecrets(db, parts.secrets)
      await applyDeclared(parts)
      const queue = openQueue(db, timing.now)
      deliverer = new Deliverer({ queue, attempt: (claim) => attempt(claim, attempts), now: timing.now, onError })
      watcher.start()
      stopRetention = startRetention(db, timing, onError)
    },
    stop: async () => {
      await Promise.all([watcher.stop(), stopRetention()])
      await deliverer?.stop()
      poster.close()
    },
  }
}

/**
 * Receivers that the file does not declare any more go too. Only the database is asked for them: the places where repositories lie may be
 * out of reach at the start.
 */
async function applyDeclared(parts: NotificationParts): Promise<void> {
  const { db, secrets, catalogs, timing } = parts
  const declared = await declaredByRepository(parts)
  const before = await listRepositoriesWithDeclared(db, [...catalogs.keys()])
  for (const repoId of new Set([...before, ...declared.keys()])) {
    await applyDeclaredReceivers(db, repoId, declared.get(repoId) ?? [], { secrets, now: new Date(timing.now()) })
  }
}

/** By the repository's id. */
async function declaredByRepository({ remember, settings }: NotificationParts) {
  const byRepository = new Map<string, DeclaredReceiver[]>()
  const declare = async (org: string, repo: string, receiver: DeclaredReceiver) => {
    const repoId = await remember(org, repo)
    byRepository.set(repoId, [...(byRepository.get(repoId) ?? []), receiver])
  }
  for (const { org, repo, ...webhook } of settings.webhooks) {
    await declare(org, repo, { kind: 'webhook', service: null, ...webhook })
  }
  for (const { org, repo, service, ...chat } of settings.chats) {
    const host = detectChatService(new URL(chat.url)) ?? null
    await declare(org, repo, {
      kind: 'chat',
      secretToken: null,
      signingSecret: null,
      service: service ?? host,
      ...chat,
    })
  }
  return byRepository
}

async function readCertificates(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`notifications.extraCaFile cannot be read: ${reason}`, { cause })
  }
}
