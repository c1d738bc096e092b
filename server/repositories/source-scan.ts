// What is known of one source of repositories. Each source is searched on its own, so that one that fails or hangs holds up no other.
import { isSafeKey, ObjectStoreTimeoutError, type ObjectStore } from '@floe/storage/objects'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'
import pLimit from 'p-limit'
import type { Timing } from '../timing.ts'

/** Where repositories of an organisation come from. */
export type CatalogSource =
  | { readonly kind: 'scan'; readonly store: ObjectStore }
  | { readonly kind: 'repository'; readonly name: string; readonly store: ObjectStore }

/** How long the list of a scanned location is cached, in milliseconds. A new repository shows up after at most this time. */
const scanMaxAgeMs = 1_000

/** Longest scan, in milliseconds. */
const scanLimitMs = 30_000

/** A scanned location with more entries than this directly below it is refused. */
const maxScannedEntries = 10_000

/** Places directly below a scanned location that are checked at the same time. */
const scanWidth = 32

/** The repositories of one source, as the last scan that succeeded found them. */
export class SourceScan {
  readonly #source: CatalogSource
  readonly #timing: Pick<Timing, 'elapsed' | 'after'>
  readonly #onFailure: (error: unknown) => void
  /** By name: those that the last scan which succeeded found, and those that were looked up since then. */
  #stores = new Map<string, ObjectStore>()
  #hasAnswered = false
  #failure: unknown
  #freshUntil = -Infinity
  #underWay: Promise<void> | undefined
  #stop: (reason: Error) => void = () => {}
  #isClosed = false

  /** @param onFailure called when scans begin to fail, and not again before one has succeeded */
  constructor(source: CatalogSource, timing: Pick<Timing, 'elapsed' | 'after'>, onFailure: (error: unknown) => void) {
    this.#source = source
    this.#timing = timing
    this.#onFailure = onFailure
    if (source.kind === 'scan') return
    this.#stores.set(source.name, source.store)
    this.#hasAnswered = true
  }

  /** Names of the repositories that are known to be here. They stay known while scans fail. */
  get names(): Iterable<string> {
    return this.#stores.keys()
  }

  /** Whether a scan has ever succeeded. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Why the last scan failed; undefined when it succeeded. */
  get failure(): unknown {
    return this.#failure
  }

  /** The store of a repository that is known to be here. */
  getStore(name: string): ObjectStore | undefined {
    return this.#stores.get(name)
  }

  /** Begins a scan unless the last one is fresh. Resolves when it has ended, even if it has failed. Callers share one scan. */
  refresh(): Promise<void> {
    const { elapsed } = this.#timing
    if (this.#source.kind === 'repository' || this.#isClosed || elapsed() < this.#freshUntil) return Promise.resolve()
    this.#underWay ??= this.#scan(this.#source.store).finally(() => (this.#underWay = undefined))
    return this.#underWay
  }

  /** Looks for one repository, also for one that no scan has seen yet. A configured one is served even if its location is empty. */
  async find(name: string, signal: AbortSignal): Promise<ObjectStore | undefined> {
    const known = this.getStore(name)
    if (known !== undefined || this.#source.kind === 'repository') return known
    const store = await findBelow(this.#source.store, name, signal)
    // A scan may have found it meanwhile.
    if (store !== undefined && !this.#stores.has(name)) this.#stores.set(name, store)
    return this.getStore(name)
  }

  /** Ends the scan under way and begins no more. */
  close(): void {
    this.#isClosed = true
    this.#stop(new Error('the service is stopping'))
  }

  async #scan(root: ObjectStore): Promise<void> {
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
      // A store that ignores the signal must not hold up the end either.
      this.#stores = await Promise.race([this.#list(root, abort.signal), stopped])
      this.#hasAnswered = true
      this.#freshUntil = start + scanMaxAgeMs
      this.#failure = undefined
    } catch (error) {
      const isNew = this.#failure === undefined
      this.#failure = error
      if (isNew && !this.#isClosed) this.#onFailure(error)
    } finally {
      cancelLimit()
    }
  }

  /** Known repositories are not read again; that saves two reads for each in every scan. */
  async #list(root: ObjectStore, signal: AbortSignal): Promise<Map<string, ObjectStore>> {
    const { prefixes } = await root.list('', { maxEntries: maxScannedEntries, signal })
    const limit = pLimit(scanWidth)
    const find = async (name: string) => this.getStore(name) ?? (await findBelow(root, name, signal))
    const found = await limit
      .map(prefixes, find)
      // After the first failure the rest is not needed.
      .finally(() => limit.clearQueue())
    return new Map(prefixes.flatMap((name, index) => (found[index] === undefined ? [] : [[name, found[index]]])))
  }
}

async function findBelow(root: ObjectStore, name: string, signal: AbortSignal): Promise<ObjectStore | undefined> {
  if (name.includes('/') || !isSafeKey(name)) return undefined
  const store = root.below(`${name}/`)
  return (await holdsRepository(store, signal)) ? store : undefined
}

/** Whether the first objects of a repository exist. A damaged repository counts, so that its damage can be reported. */
export async function holdsRepository(store: ObjectStore, signal: AbortSignal): Promise<boolean> {
  const options = { maxBytes: 1, range: { start: 0, end: 1 }, signal }
  const [repo, main] = await Promise.all([store.read(repoKey, options), store.read(mainRefKey, options)])
  return repo.state === 'found' || main.state === 'found'
}
