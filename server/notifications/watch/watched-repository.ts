// One repository under watch: what was seen of it, and when it is to be looked at again.
import { isAbsolute } from 'node:path'
import { ObjectStoreTimeoutError } from '@floe/storage/objects'
import type { CatalogEntry } from '../../repositories/catalog.ts'
import type { Timing } from '../../timing.ts'
import { checkHead } from './check-head.ts'
import type { HeadRecording, SeenHead } from './check-head.ts'
import { LocalChanges } from './local-changes.ts'

/** The last look at a repository. */
export type Observation = {
  readonly org: string
  readonly name: string
  readonly repoId: string
  /** Snapshot id of the last head that was read; null when none was since the start. */
  readonly snapshotId: string | null
  /** Of the Icechunk format; null as `snapshotId` is. */
  readonly formatVersion: 1 | 2 | null
  /** When the last look ended, in milliseconds since 1970; null before the first. */
  readonly checkedAt: number | null
  /** What the last look failed with. */
  readonly error: unknown
}

/** The longest look, in milliseconds. */
const checkLimitMs = 30_000

/** Wait after the first failure, doubled with each further one: a file that is being copied is whole a moment later. */
const firstRetryMs = 200

/** Repositories without receivers, and those that fail, are looked at so many times less often than others. */
const seldom = 10

/** A repository under watch. */
export class WatchedRepository {
  readonly entry: CatalogEntry
  /** When the next look is due, in milliseconds since 1970. */
  dueAt: number
  readonly #recording: HeadRecording
  readonly #timing: Timing
  readonly #changes: LocalChanges | undefined
  #seen: SeenHead | undefined
  #checkedAt: number | null = null
  #error: unknown
  #failures = 0
  #running: Promise<SeenHead> | undefined
  #abort: AbortController | undefined

  /** `onChange` is called when files in a local directory change. */
  constructor(entry: CatalogEntry, recording: HeadRecording, timing: Timing, onChange: () => void) {
    this.entry = entry
    this.dueAt = timing.now()
    this.#recording = recording
    this.#timing = timing
    const { location } = entry.repository
    // Every location that is no directory starts with a scheme.
    this.#changes = isAbsolute(location) ? new LocalChanges(location, onChange) : undefined
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** In a row, up to the last look. */
  get failures(): number {
    return this.#failures
  }

  get observation(): Observation {
    const { org, name, id } = this.entry
    const { snapshotId = null, state } = this.#seen ?? {}
    const formatVersion = state?.formatVersion ?? null
    return { org, name, repoId: id, snapshotId, formatVersion, checkedAt: this.#checkedAt, error: this.#error }
  }

  /** Looks at it now, or once the look that is under way has ended. Throws what it meets with. */
  async look(): Promise<SeenHead> {
    while (this.#running !== undefined) await this.ended()
    this.#running = this.#look().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Resolves when no look is under way that was when this was called. */
  async ended(): Promise<void> {
    await this.#running?.catch(() => undefined)
  }

  /** Files have changed, so what failed may succeed, or fail for a moment only. */
  forgive(): void {
    this.#failures = 0
  }

  /** Sets when the next look is due: `intervalMs` from now, give or take a fifth, later when it fails. */
  plan(intervalMs: number, hasReceivers: boolean): void {
    const { now, random } = this.#timing
    const usualMs = hasReceivers ? intervalMs : intervalMs * seldom
    const retryMs = Math.min(firstRetryMs * 2 ** (this.#failures - 1), intervalMs * seldom)
    this.dueAt = now() + (this.#failures === 0 ? usualMs : retryMs) * (0.8 + 0.4 * random())
  }

  /** Ends the look that is under way. */
  async close(): Promise<void> {
    this.#abort?.abort(new Error('the service is stopping'))
    await this.ended()
    this.#changes?.close()
  }

  async #look(): Promise<SeenHead> {
    const abort = new AbortController()
    this.#abort = abort
    const { location } = this.entry.repository
    const limit = new ObjectStoreTimeoutError(location, 'main', `was not read within ${checkLimitMs / 1000} s`)
    const cancel = this.#timing.after(checkLimitMs, () => abort.abort(limit))
    try {
      // Before the look, so that what changes after it is noticed.
      await this.#changes?.renew()
      this.#seen = await checkHead(this.#recording, this.entry, this.#seen, abort.signal)
      this.#failures = 0
      this.#error = undefined
      return this.#seen
    } catch (error) {
      this.#failures++
      this.#error = error
      throw error
    } finally {
      cancel()
      this.#checkedAt = this.#timing.now()
    }
  }
}
