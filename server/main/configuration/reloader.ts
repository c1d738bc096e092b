// Takes over a configuration that has changed, while the service runs.
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
import { planReload } from './plan-reload.ts'

/** The parts of a service that can change. */
export type ReloadParts = {
  readonly db: Database
  readonly sources: OpenSources
  readonly catalogs: Catalogs
  readonly notifier: Pick<Notifier, 'declare'>
  /** Read by those who keep the limits, whenever they need one. */
  readonly limits: Limits
  /** Likewise those of repositories. */
  readonly readerLimits: ReaderLimits
  readonly timing: Pick<Timing, 'now'>
  readonly log: Pick<Logger, 'child' | 'error'>
}

/** Changes the configuration of a service that runs. */
export class Reloader {
  readonly #parts: ReloadParts
  #config: Config

  /** @param config the configuration that the service was started with */
  constructor(config: Config, parts: ReloadParts) {
    this.#config = config
    this.#parts = parts
  }

  /**
   * Reads the configuration, and takes over what can change: repositories, keys, declared receivers and limits. Logs what that was. A
   * configuration that cannot be used changes nothing, and the log says why.
   */
  async reload(readConfig: () => Promise<Config>): Promise<void> {
    const { log } = this.#parts
    try {
      const { config, changed, needRestart } = planReload(this.#config, await readConfig())
      await this.#apply(config)
      this.#config = config
      // Logged even when the log holds only warnings: somebody waits for this line.
      log.child({}, { level: 'info' }).info({ changed, needRestart }, 'the configuration was reloaded')
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err)
      // A mistake in the configuration is explained by its message; a stack would hide it.
      log.error(err instanceof ConfigError ? {} : { err }, `the configuration was not reloaded: ${reason}`)
    }
  }

  /** What can be refused comes first, then the database, and at last what cannot fail. To apply a configuration twice does no harm. */
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
    // Answers, refusals too, follow from the limits.
    catalogs.forget()
  }
}
