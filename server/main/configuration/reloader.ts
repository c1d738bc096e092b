import { isDeepStrictEqual } from 'node:util'
import { applyDeclaredApiKeys, type Database } from '@floe/storage/database'
import type { ReaderLimits } from '@floe/storage/icechunk'
import type { Logger } from 'pino'
import { listDeclaredKeys } from './declared-keys.ts'
import { makeProcessLimits, makeReaderLimits, type ProcessLimits } from './sections/limits.ts'
import { ConfigError } from './load-config.ts'
import type { Config } from './schema.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import type { Catalogs } from '../../catalog/catalogs.ts'
import { openSources } from '../../catalog/sources/open-sources.ts'
import type { Timing } from '../../timing.ts'

/** The parts of a service that a reload changes. */
export type ReloadParts = {
  readonly db: Database
  readonly catalogs: Catalogs
  readonly notifier: Pick<Notifier, 'declare'>
  /** Changed in place, because other parts read it at each use. */
  readonly limits: ProcessLimits
  /** Changed in place too. */
  readonly readerLimits: ReaderLimits
  readonly timing: Pick<Timing, 'now'>
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** The API keys of a configuration are in force, but the rest could not be declared. */
class PartlyReloadedError extends Error {
  override name = 'PartlyReloadedError'

  constructor(cause: unknown) {
    super(explain(cause), { cause })
  }
}

/** Applies a changed configuration while the service runs. */
export class Reloader {
  readonly #parts: ReloadParts
  #config: Config

  /** @param config the configuration at the start of the service */
  constructor(config: Config, parts: ReloadParts) {
    this.#config = config
    this.#parts = parts
  }

  /**
   * Reads the configuration, applies the changes of repositories, keys, receivers, expectations and limits,
   * and logs which settings have changed. An invalid configuration changes nothing, and the log says why.
   *
   * @returns the configuration in force; undefined if the reload failed
   */
  async reload(readConfig: () => Promise<Config>): Promise<Config | undefined> {
    const { log } = this.#parts
    try {
      const { config, changed, needRestart } = planReload(this.#config, await readConfig())
      await this.#apply(config)
      this.#config = config
      log.info({ changed, needRestart }, 'the configuration was reloaded')
      return config
    } catch (err) {
      const reason = explain(err)
      if (err instanceof PartlyReloadedError) {
        log.error({ err }, `the API keys were reloaded, but not all of the rest: ${reason}`)
      } else {
        // Without the stack for a mistake in the configuration, because it would bury the message.
        log.error(err instanceof ConfigError ? {} : { err }, `the configuration was not reloaded: ${reason}`)
      }
      return undefined
    }
  }

  /**
   * Runs first the steps that can refuse the configuration, then the database, last the steps that cannot fail. Keys
   * come first in the database, so that nothing delays the end of a key that was revoked.
   */
  async #apply(config: Config): Promise<void> {
    const { db, catalogs, notifier, limits, readerLimits, timing } = this.#parts
    const declaredKeys = listDeclaredKeys(config)
    const opened = await openSources(config, catalogs.sources)
    await applyDeclaredApiKeys(db, declaredKeys, new Date(timing.now()))
    const { notifications, expectations } = config
    try {
      await notifier.declare({ ...notifications, expectations })
    } catch (cause) {
      throw new PartlyReloadedError(cause)
    }
    catalogs.serve(opened)
    Object.assign(limits, makeProcessLimits(config.limits))
    const newReaderLimits = makeReaderLimits(config.limits)
    if (isDeepStrictEqual(readerLimits, newReaderLimits)) return
    Object.assign(readerLimits, newReaderLimits)
    // What is cached of repositories depends on the limits.
    catalogs.forget()
  }
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

type ReloadPlan = {
  /** The configuration in force after the reload. */
  readonly config: Config
  /** Settings that change now. */
  readonly changed: readonly string[]
  /** Settings that change at the next start. */
  readonly needRestart: readonly string[]
}

/** Separates changes that a running service can apply from those that need a restart. */
export function planReload(current: Config, next: Config): ReloadPlan {
  const { webhooks, chats } = next.notifications
  const config: Config = {
    ...current,
    orgs: next.orgs,
    bootstrapAdminKey: next.bootstrapAdminKey,
    notifications: { ...current.notifications, webhooks, chats },
    expectations: next.expectations,
    limits: next.limits,
  }
  return { config, changed: listDifferences(current, config), needRestart: listDifferences(config, next) }
}

/**
 * Lists the settings, such as `limits.streams`, that two configurations differ in. Omits values, which may be secret.
 */
function listDifferences(before: unknown, after: unknown, path: readonly string[] = []): readonly string[] {
  if (!isMapping(before) || !isMapping(after)) return isDeepStrictEqual(before, after) ? [] : [path.join('.')]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => listDifferences(before[key], after[key], [...path, key]))
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
