import {
  holdsObject,
  isSafeKey,
  ObjectStoreTimeoutError,
  type ObjectStore,
  TooManyObjectsError,
} from '@floe/storage/objects'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'
import { waitOrAbort } from '@floe/storage/waiting'
import type { NameChanges } from '../http/observation/state-log.ts'
import type { Timing } from '../timing.ts'
import { ScanTurns } from './scan-turns.ts'
import { type SharedScans, SourceNames } from './source-names.ts'

/**
 * How long the names of a scanned location are cached: this many milliseconds, or this many times as long as it took to list the location. A
 * new repository appears after at most the longer time.
 */
const scanMaxAgeMs = 1_000
const scanMaxAgeFactor = 10

/** Callers do not wait for a location that took longer than this to list, in milliseconds, if its names are known. */
const quickListMs = 100

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
  /** What this scan shares with other replicas. By default, nothing. */
  readonly shared?: (SharedScans & { readonly sourceId: string }) | undefined
  /** Called with the names of repositories that were found or are gone. */
  readonly onChange?: (names: readonly string[]) => void
  /** Called after each scan with its error, undefined if it did not fail, and with what has changed since the last one. */
  readonly onEnd: (failure: unknown, changes: NameChanges) => void
}

/**
 * The repositories directly below one location. Each becomes known as soon as a scan finds it, and is known until a scan that saw all of the
 * location misses it. One that fails or hangs delays no other.
 */
export class SourceScan {
  readonly root: ObjectStore
  readonly #timing: Pick<Timing, 'elapsed' | 'after'>
  readonly #org: string
  readonly #turns: ScanTurns
  readonly #onEnd: ScanOptions['onEnd']
  readonly #limits: ScanLimits
  readonly #names: SourceNames
  /** Names that hold no repository, as scans found since the last one that saw everything. The next scan passes over them. */
  readonly #absent = new Set<string>()
  /** What has changed since the last scan ended. */
  #added: string[] = []
  #removed: readonly string[] = []
  #isPartial = false
  #hasAnswered = false
  #failure: unknown
  #freshUntil = -Infinity
  /** How long it took to list the location, without the look-ups of names that are new. */
  #listedInMs = 0
  #underWay: Promise<void> | undefined
  /** When the last scan began. */
  #scannedAt = -Infinity
  /** When the scan under way was asked for. It may wait for its turn. */
  #askedAt = 0
  #stop: (reason: Error) => void = () => {}
  #isClosed = false

  constructor(
    root: ObjectStore,
    {
      org,
      timing,
      turns = new ScanTurns(),
      limits = defaultScanLimits,
      shared,
      onChange = () => {},
      onEnd,
    }: ScanOptions,
  ) {
    this.root = root
    this.#org = org
    this.#limits = limits
    this.#timing = timing
    this.#turns = turns
    this.#names = new SourceNames({ shared, onChange })
    this.#onEnd = onEnd
  }

  /** The names of the known repositories. They stay known while scans fail. */
  get names(): ReadonlySet<string> {
    return this.#names.all
  }

  /** Opens the store of a repository. */
  open(name: string): ObjectStore {
    return this.root.below(`${name}/`)
  }

  /** Whether the last scan reached its time limit before it had looked at everything, although it made progress. The next one begins at once. */
  get isPartial(): boolean {
    return this.#isPartial
  }

  /** Whether {@link refresh} would begin no scan. */
  get isFresh(): boolean {
    return this.#timing.elapsed() < this.#freshUntil
  }

  /** Whether {@link names} can be trusted: a scan of a replica has made progress, and none of this one has failed since. */
  get isUsable(): boolean {
    return this.#hasAnswered && this.#failure === undefined
  }

  /** Why the last scan failed; undefined when it succeeded. */
  get failure(): unknown {
    return this.#failure
  }

  /**
   * Begins a scan unless the last one is fresh, or reads what another replica has found. Resolves when that has ended or failed. Callers share
   * one scan.
   *
   * @param minAgeMs a scan of this process is not repeated before it is as old as this, in milliseconds
   */
  refresh(minAgeMs = 0): Promise<void> {
    const isYoung = this.#names.isOwn && this.#timing.elapsed() < this.#scannedAt + minAgeMs
    if (this.#isClosed || this.isFresh || isYoung) return Promise.resolve()
    this.#underWay ??= this.#refresh().finally(() => {
      this.#underWay = undefined
      if (this.#isPartial) void this.refresh()
    })
    return this.#underWay
  }

  /**
   * Waits for a scan that {@link refresh} has begun, until five seconds after it was asked for. Does not wait if the last scan failed, or if
   * the location is large and its names are known, so that such a location delays few requests.
   */
  async waitFor(end: Promise<void>): Promise<void> {
    const leftMs = this.#askedAt + waitLimitMs - this.#timing.elapsed()
    if (this.#failure !== undefined || (this.isUsable && this.#listedInMs > quickListMs) || leftMs <= 0) return
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const cancel = this.#timing.after(leftMs, resolve)
    await Promise.race([end, enough])
    cancel()
  }

  /** Whether a repository exists, even one that no scan has found yet. */
  async find(name: string, signal: AbortSignal): Promise<boolean> {
    if (!this.names.has(name) && (await this.#holds(name, signal))) this.#add(name)
    return this.names.has(name)
  }

  /** Ends the scan under way and begins no more. */
  close(): void {
    this.#isClosed = true
    this.#stop(new Error('the service is stopping'))
  }

  async #refresh(): Promise<void> {
    this.#askedAt = this.#timing.elapsed()
    const mustScan = this.#names.isOwn || (await this.#names.learn())
    this.#hasAnswered ||= this.#names.isRecorded
    if (mustScan) {
      await this.#scanInTurn()
      void this.#names.record()
    } else {
      this.#isPartial = false
      this.#failure = undefined
      this.#freshUntil = this.#askedAt + scanMaxAgeMs
    }
  }

  #scanInTurn(): Promise<void> {
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
    this.#scannedAt = start
    const lookedAt = () => this.names.size + this.#absent.size
    const before = lookedAt()
    const isFirst = !this.#hasAnswered
    try {
      // The store may ignore the signal.
      await Promise.race([this.#list(abort.signal), stopped])
      this.#isPartial = false
      this.#hasAnswered = true
      this.#freshUntil = start + Math.max(scanMaxAgeMs, this.#listedInMs * scanMaxAgeFactor)
      this.#failure = undefined
    } catch (error) {
      this.#isPartial = error === limit && lookedAt() > before
      this.#hasAnswered ||= this.#isPartial
      this.#failure = this.#isPartial ? undefined : error
    } finally {
      cancelLimit()
      // What the first scan finds was there before.
      const changes = isFirst ? { added: [], removed: [] } : { added: this.#added, removed: this.#removed }
      this.#added = []
      this.#removed = []
      if (!this.#isClosed) this.#onEnd(this.#failure, changes)
    }
  }

  /** Does not read known repositories again, which saves two reads for each in every scan. */
  async #list(signal: AbortSignal): Promise<void> {
    const { maxScanned } = this.#limits
    const start = this.#timing.elapsed()
    const { prefixes } = await this.root.list('', { maxEntries: maxScanned, signal }).catch((cause: unknown) => {
      if (!(cause instanceof TooManyObjectsError)) throw cause
      const excess = `more than ${maxScanned} directories and files lie directly below a scanned location`
      const what = `${excess}; to allow more, raise limits.maxScanned`
      throw new TooManyObjectsError(this.root.location, '', what, { cause })
    })
    this.#listedInMs = this.#timing.elapsed() - start
    const unknown = prefixes.filter((name) => !this.names.has(name) && !this.#absent.has(name))
    let next = 0
    const look = async () => {
      for (let name = unknown[next++]; name !== undefined; name = unknown[next++]) {
        const isFound = await this.#holds(name, signal).catch((error: unknown) => {
          // After the first failure, the rest is not needed.
          next = unknown.length
          throw error
        })
        if (isFound) this.#add(name)
        else this.#absent.add(name)
      }
    }
    await Promise.all(Array.from({ length: Math.min(scanWidth, unknown.length) }, look))
    this.#absent.clear()
    this.#removeOthers(prefixes)
  }

  #add(name: string): void {
    if (this.names.has(name)) return
    this.#names.add(name)
    this.#added.push(name)
  }

  #removeOthers(listed: readonly string[]): void {
    const kept = new Set(listed)
    this.#removed = [...this.names].filter((name) => !kept.has(name))
    this.#names.remove(this.#removed)
  }

  #holds(name: string, signal: AbortSignal): Promise<boolean> {
    const { lookUps } = this.#turns.choose(this.#failure !== undefined)
    const look = async () => {
      if (name.includes('/') || !isSafeKey(name)) return false
      // The store may ignore the signal, and would keep the place.
      return waitOrAbort(holdsRepository(this.open(name), signal), signal)
    }
    return waitOrAbort(lookUps.run(this.#org, look), signal)
  }
}

/** Whether the first object of a repository exists. A damaged repository counts, so that its damage can be reported. */
export async function holdsRepository(store: ObjectStore, signal: AbortSignal): Promise<boolean> {
  return (await holdsObject(store, repoKey, signal)) || holdsObject(store, mainRefKey, signal)
}
