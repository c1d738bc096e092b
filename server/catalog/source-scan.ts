import { holdsObject, isSafeKey, ObjectStoreTimeoutError, type ObjectStore } from '@floe/storage/objects'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'
import pLimit from 'p-limit'
import type { Timing } from '../timing.ts'

/** Where repositories of an organisation come from. */
export type CatalogSource =
  | { readonly kind: 'scan'; readonly store: ObjectStore }
  | { readonly kind: 'repository'; readonly name: string; readonly store: ObjectStore }

/** How long the list of a scanned location is cached, in milliseconds. A new repository appears after at most this time. */
const scanMaxAgeMs = 1_000

/** How long callers wait for a scan that may hang, in milliseconds. */
const waitLimitMs = 5_000

const scanLimitMs = 30_000

/** A scanned location with more entries than this directly below it is refused. */
const maxScannedEntries = 10_000

/** Entries of a scanned location that are checked at the same time. */
const scanWidth = 32

/** The repositories directly below one location, as the last successful scan found them. One that fails or hangs delays no other. */
export class SourceScan {
  readonly root: ObjectStore
  readonly #timing: Pick<Timing, 'elapsed' | 'after'>
  readonly #onFailure: (error: unknown) => void
  /** By name: the result of the last successful scan, and repositories that were looked up since. */
  #stores = new Map<string, ObjectStore>()
  #revision = 0
  #hasAnswered = false
  #failure: unknown
  #freshUntil = -Infinity
  #underWay: Promise<void> | undefined
  #startedAt = 0
  #stop: (reason: Error) => void = () => {}
  #isClosed = false

  /** @param onFailure called when scans begin to fail, and not again before one has succeeded */
  constructor(root: ObjectStore, timing: Pick<Timing, 'elapsed' | 'after'>, onFailure: (error: unknown) => void) {
    this.root = root
    this.#timing = timing
    this.#onFailure = onFailure
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
    this.#underWay ??= this.#scan().finally(() => (this.#underWay = undefined))
    return this.#underWay
  }

  /**
   * Waits for a scan that {@link refresh} has begun, until five seconds after its start. Does not wait if the last scan failed, so that a
   * location that hangs delays few requests.
   */
  async waitFor(end: Promise<void>): Promise<void> {
    const leftMs = this.#startedAt + waitLimitMs - this.#timing.elapsed()
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
    const store = await findBelow(this.root, name, signal)
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

  async #scan(): Promise<void> {
    const root = this.root
    const abort = new AbortController()
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    this.#stop = (reason) => {
      abort.abort(reason)
      reject(reason)
    }
    const limit = new ObjectStoreTimeoutError(root.location, '', `took longer than ${scanLimitMs / 1000} s`)
    const cancelLimit = this.#timing.after(scanLimitMs, () => this.#stop(limit))
    this.#startedAt = this.#timing.elapsed()
    try {
      // The store may ignore the signal.
      const stores = await Promise.race([this.#list(abort.signal), stopped])
      const hasSameNames =
        stores.size === this.#stores.size && [...stores.keys()].every((name) => this.#stores.has(name))
      if (!hasSameNames) this.#revision++
      this.#stores = stores
      this.#hasAnswered = true
      this.#freshUntil = this.#startedAt + scanMaxAgeMs
      this.#failure = undefined
    } catch (error) {
      const isNew = this.#failure === undefined
      this.#failure = error
      if (isNew && !this.#isClosed) this.#onFailure(error)
    } finally {
      cancelLimit()
    }
  }

  /** Does not read known repositories again, which saves two reads for each in every scan. */
  async #list(signal: AbortSignal): Promise<Map<string, ObjectStore>> {
    const root = this.root
    const { prefixes } = await root.list('', { maxEntries: maxScannedEntries, signal })
    const limit = pLimit(scanWidth)
    const find = async (name: string) => this.#stores.get(name) ?? (await findBelow(root, name, signal))
    const found = await limit
      .map(prefixes, find)
      // After the first failure, the rest is not needed.
      .finally(() => limit.clearQueue())
    return new Map(prefixes.flatMap((name, index) => (found[index] === undefined ? [] : [[name, found[index]]])))
  }
}

async function findBelow(root: ObjectStore, name: string, signal: AbortSignal): Promise<ObjectStore | undefined> {
  if (name.includes('/') || !isSafeKey(name)) return undefined
  const store = root.below(`${name}/`)
  return (await holdsRepository(store, signal)) ? store : undefined
}

/** Whether the first object of a repository exists. A damaged repository counts, so that its damage can be reported. */
export async function holdsRepository(store: ObjectStore, signal: AbortSignal): Promise<boolean> {
  return (await holdsObject(store, repoKey, signal)) || holdsObject(store, mainRefKey, signal)
}
