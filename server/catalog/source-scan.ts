import {
  holdsObject,
  isSafeKey,
  ObjectStoreTimeoutError,
  type ObjectStore,
  TooManyObjectsError,
} from '@floe/storage/objects'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'
import { waitOrAbort } from '@floe/storage/waiting'
import pLimit from 'p-limit'
import type { Timing } from '../timing.ts'
import { ScanTurns } from './scan-turns.ts'

/** Where repositories of an organisation come from. */
export type CatalogSource =
  | { readonly kind: 'scan'; readonly store: ObjectStore }
  | { readonly kind: 'repository'; readonly name: string; readonly store: ObjectStore }

/** How long the list of a scanned location is cached, in milliseconds. A new repository appears after at most this time. */
const scanMaxAgeMs = 1_000

/** How long callers wait for a scan that may hang, in milliseconds. */
const waitLimitMs = 5_000

const scanLimitMs = 30_000

/** A scanned location with more directories and files than this directly below it is refused. Read at each scan. */
export type ScanLimits = { readonly maxScanned: number }

export const defaultScanLimits: ScanLimits = { maxScanned: 100_000 }

/** Entries of a scanned location that are checked, or wait for their turn, at the same time. */
const scanWidth = 32

export type ScanOptions = {
  readonly org: string
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** Turns that this scan shares with others. By default, it shares them with none. */
  readonly turns?: ScanTurns | undefined
  readonly limits?: ScanLimits | undefined
  /** Called after each scan with its error; undefined if it did not fail. */
  readonly onEnd: (failure: unknown) => void
}

/** The repositories directly below one location, as the last successful scan found them. One that fails or hangs delays no other. */
export class SourceScan {
  readonly root: ObjectStore
  readonly #timing: Pick<Timing, 'elapsed' | 'after'>
  readonly #org: string
  readonly #turns: ScanTurns
  readonly #onEnd: (failure: unknown) => void
  readonly #limits: ScanLimits
  /** By name: the result of the last successful scan, and repositories that were looked up since. */
  #stores = new Map<string, ObjectStore>()
  #revision = 0
  #hasAnswered = false
  #failure: unknown
  #freshUntil = -Infinity
  #underWay: Promise<void> | undefined
  /** When the scan under way was asked for. It may wait for its turn. */
  #askedAt = 0
  #stop: (reason: Error) => void = () => {}
  #isClosed = false

  constructor(
    root: ObjectStore,
    { org, timing, turns = new ScanTurns(), limits = defaultScanLimits, onEnd }: ScanOptions,
  ) {
    this.root = root
    this.#org = org
    this.#limits = limits
    this.#timing = timing
    this.#turns = turns
    this.#onEnd = onEnd
  }

  /** The stores of the known repositories, by name. They stay known while scans fail. */
  get stores(): ReadonlyMap<string, ObjectStore> {
    return this.#stores
  }

  /** Grows whenever a name is added to {@link stores} or removed. */
  get revision(): number {
    return this.#revision
  }

  /** Whether {@link refresh} would begin no scan. */
  get isFresh(): boolean {
    return this.#timing.elapsed() < this.#freshUntil
  }

  /** Whether {@link stores} can be trusted: a scan has succeeded, and none has failed since. */
  get isUsable(): boolean {
    return this.#hasAnswered && this.#failure === undefined
  }

  /** Why the last scan failed; undefined when it succeeded. */
  get failure(): unknown {
    return this.#failure
  }

  /** Begins a scan unless the last one is fresh. Resolves when the scan has ended or failed. Callers share one scan. */
  refresh(): Promise<void> {
    if (this.#isClosed || this.isFresh) return Promise.resolve()
    this.#underWay ??= this.#scanInTurn().finally(() => (this.#underWay = undefined))
    return this.#underWay
  }

  /**
   * Waits for a scan that {@link refresh} has begun, until five seconds after it was asked for. Does not wait if the last scan failed, so that a
   * location that hangs delays few requests.
   */
  async waitFor(end: Promise<void>): Promise<void> {
    const leftMs = this.#askedAt + waitLimitMs - this.#timing.elapsed()
    if (this.#failure !== undefined || leftMs <= 0) return
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const cancel = this.#timing.after(leftMs, resolve)
    await Promise.race([end, enough])
    cancel()
  }

  /** Finds one repository, even one that no scan has found yet. */
  async find(name: string, signal: AbortSignal): Promise<ObjectStore | undefined> {
    const known = this.#stores.get(name)
    if (known !== undefined) return known
    const store = await this.#findBelow(name, signal)
    // A scan may have found it meanwhile.
    if (store !== undefined && !this.#stores.has(name)) {
      this.#stores.set(name, store)
      this.#revision++
    }
    return this.#stores.get(name)
  }

  /** Ends the scan under way and begins no more. */
  close(): void {
    this.#isClosed = true
    this.#stop(new Error('the service is stopping'))
  }

  #scanInTurn(): Promise<void> {
    this.#askedAt = this.#timing.elapsed()
    const { scans } = this.#turns.choose(this.#failure !== undefined)
    return scans.run(this.#org, async () => {
      if (!this.#isClosed) await this.#scan()
    })
  }

  async #scan(): Promise<void> {
    const { root } = this
    const abort = new AbortController()
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    this.#stop = (reason) => {
      abort.abort(reason)
      reject(reason)
    }
    const limit = new ObjectStoreTimeoutError(root.location, '', `took longer than ${scanLimitMs / 1000} s`)
    const cancelLimit = this.#timing.after(scanLimitMs, () => this.#stop(limit))
    const start = this.#timing.elapsed()
    try {
      // The store may ignore the signal.
      const stores = await Promise.race([this.#list(abort.signal), stopped])
      const hasSameNames =
        stores.size === this.#stores.size && [...stores.keys()].every((name) => this.#stores.has(name))
      if (!hasSameNames) this.#revision++
      this.#stores = stores
      this.#hasAnswered = true
      this.#freshUntil = start + scanMaxAgeMs
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
    } finally {
      cancelLimit()
      if (!this.#isClosed) this.#onEnd(this.#failure)
    }
  }

  /** Does not read known repositories again, which saves two reads for each in every scan. */
  async #list(signal: AbortSignal): Promise<Map<string, ObjectStore>> {
    const { maxScanned } = this.#limits
    const { prefixes } = await this.root.list('', { maxEntries: maxScanned, signal }).catch((cause: unknown) => {
      if (!(cause instanceof TooManyObjectsError)) throw cause
      const excess = `more than ${maxScanned} directories and files lie directly below a scanned location`
      const what = `${excess}; the setting limits.maxScanned of the service is ${maxScanned}`
      throw new TooManyObjectsError(this.root.location, '', what, { cause })
    })
    const limit = pLimit(scanWidth)
    const find = async (name: string) => this.#stores.get(name) ?? (await this.#findBelow(name, signal))
    const found = await limit
      .map(prefixes, find)
      // After the first failure, the rest is not needed.
      .finally(() => limit.clearQueue())
    return new Map(prefixes.flatMap((name, index) => (found[index] === undefined ? [] : [[name, found[index]]])))
  }

  #findBelow(name: string, signal: AbortSignal): Promise<ObjectStore | undefined> {
    const { lookUps } = this.#turns.choose(this.#failure !== undefined)
    const look = async () => {
      if (name.includes('/') || !isSafeKey(name)) return undefined
      const store = this.root.below(`${name}/`)
      // The store may ignore the signal, and would keep the place.
      return (await waitOrAbort(holdsRepository(store, signal), signal)) ? store : undefined
    }
    return waitOrAbort(lookUps.run(this.#org, look), signal)
  }
}

/** Whether the first object of a repository exists. A damaged repository counts, so that its damage can be reported. */
export async function holdsRepository(store: ObjectStore, signal: AbortSignal): Promise<boolean> {
  return (await holdsObject(store, repoKey, signal)) || holdsObject(store, mainRefKey, signal)
}
