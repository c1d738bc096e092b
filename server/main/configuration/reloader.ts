// Applies a changed configuration while the service runs.
import { isDeepStrictEqual } from 'node:util'
import { applyDeclaredApiKeys, type Database } from '@floe/storage/database'
import type { ReaderLimits } from '@floe/storage/icechunk'
import type { Logger } from 'pino'
import { listDeclaredKeys } from './declared-keys.ts'
import { type Limits, makeReaderLimits } from './limits.ts'
import { ConfigError } from './load-config.ts'
import type { Config } from './schema.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import type { Catalogs } from '../../catalog/catalogs.ts'
import type { OpenSources } from '../../catalog/open-sources.ts'
import type { Timing } from '../../timing.ts'

/** The parts of a service that can change. */
export type ReloadParts = {
  readonly db: Database
  readonly sources: OpenSources
  readonly catalogs: Catalogs
  readonly notifier: Pick<Notifier, 'declare'>
  /** Changed in place: whoever enforces a limit reads it each time. */
  readonly limits: Limits
  /** Likewise. */
  readonly readerLimits: ReaderLimits
  readonly timing: Pick<Timing, 'now'>
  readonly log: Pick<Logger, 'child' | 'error'>
}

export class Reloader {
  readonly #parts: ReloadParts
  #config: Config

  /** @param config the configuration that the service was started with */
  constructor(config: Config, parts: ReloadParts) {
    this.#config = config
    this.#parts = parts
  }

  /**
   * Reads the configuration and applies what can change: repositories, keys, declared receivers and limits. Logs the keys that changed. A
   * configuration that cannot be used changes nothing, and the log says why.
   */
  async reload(readConfig: () => Promise<Config>): Promise<void> {
    const { log } = this.#parts
    try {
      const { config, changed, needRestart } = planReload(this.#config, await readConfig())
      await this.#apply(config)
      this.#config = config
      // Logged at any level: the operator who reloads waits for this line.
      log.child({}, { level: 'info' }).info({ changed, needRestart }, 'the configuration was reloaded')
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err)
      // A mistake in the configuration is explained by its message; a stack would hide it.
      log.error(err instanceof ConfigError ? {} : { err }, `the configuration was not reloaded: ${reason}`)
    }
  }

  /** First what can be refused, then the database, last what cannot fail. Applying a configuration twice does no harm. */
  async #apply(config: Config): Promise<void> {
    const { db, sources, catalogs, notifier, limits, readerLimits, timing } = this.#parts
    const declaredKeys = listDeclaredKeys(config)
    const opened = await sources.open(config)
    await applyDeclaredApiKeys(db, declaredKeys, new Date(timing.now()))
    await notifier.declare(config.notifications)
    catalogs.serve(opened)
    Object.assign(limits, config.limits)
    const newReaderLimits = makeReaderLimits(config.limits)
    if (isDeepStrictEqual(readerLimits, newReaderLimits)) return
    Object.assign(readerLimits, newReaderLimits)
    // Cached answers and refusals depend on the limits.
    catalogs.forget()
  }
}

type ReloadPlan = {
  /** In force after the reload. */
  readonly config: Config
  /** The keys that change now. */
  readonly changed: readonly string[]
  /** The keys that take effect at the next start. */
  readonly needRestart: readonly string[]
}

/** Separates what a running service can apply from what takes a restart. */
export function planReload(current: Config, next: Config): ReloadPlan {
  const { webhooks, chats } = next.notifications
  const config: Config = {
    ...current,
    orgs: next.orgs,
    bootstrapAdminKey: next.bootstrapAdminKey,
    notifications: { ...current.notifications, webhooks, chats },
    limits: next.limits,
  }
  return { config, changed: listDifferences(current, config), needRestart: listDifferences(config, next) }
}

/** The keys, such as `limits.streams`, at which two configurations differ. It names no values, which may be secret. */
function listDifferences(before: unknown, after: unknown, path: readonly string[] = []): readonly string[] {
  if (!isMapping(before) || !isMapping(after)) return isDeepStrictEqual(before, after) ? [] : [path.join('.')]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => listDifferences(before[key], after[key], [...path, key]))
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
