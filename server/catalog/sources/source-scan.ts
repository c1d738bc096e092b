import { type ObjectStore, ObjectStoreTimeoutError } from '@floe/storage/objects'
import { waitOrAbort } from '@floe/storage/waiting'
import type { EntrySource } from '../catalog-entry.ts'
import { publishStorage, type StorageTemplate } from '../published-storage.ts'
import type { Timing } from '../../timing.ts'
import { LocationScanner } from './location-scanner.ts'
import { NestedNames } from './nested-names.ts'
import { defaultScanLimits, type ScanOptions } from './scan-options.ts'
import { ScanQueues } from './scan-queues.ts'
import { SourceNames } from './source-names.ts'

/**
 * How long the names of a scanned location are fresh: this many milliseconds, or this many times as long as it took to
 * list the location. A new repository appears after at most the longer time.
 */
const scanMaxAgeMs = 1_000
const scanMaxAgeFactor = 10

/** Callers do not wait for a location that took longer than this to list, in milliseconds, if its names are known. */
const quickListMs = 100

/** How long callers wait for a scan that may hang, in milliseconds. */
const waitLimitMs = 5_000

/** Longest time for one scan, in milliseconds. */
const scanTimeoutMs = 30_000

/**
 * The repositories below one location. A repository becomes known as soon as a scan finds it, and stays known
 * until a scan that has seen the whole location misses it. A location that fails or hangs delays no other.
 */
export class SourceScan {
  /** The location. */
  readonly root: ObjectStore
  /** Opens its repositories by their directories. */
  readonly #source: EntrySource
  readonly #timing: Pick<Timing, 'elapsed' | 'after'>
  readonly #org: string
  readonly #queues: ScanQueues
  readonly #onEnd: ScanOptions['onEnd']
  /** Paths of the repositories below the location. */
  readonly #directories: SourceNames
  /** Undefined at depth 1, where each directory is a name. */
  readonly #nested: NestedNames | undefined
  readonly #scanner: LocationScanner
  #isPartial = false
  #hasAnswered = false
  #failure: unknown
  #freshUntil = -Infinity
  /** How long it took to list the location, without the lookups of new names. */
  #listedInMs = 0
  /** The refresh that is running or waits for a slot. */
  #running: Promise<void> | undefined
  /** When the last scan began. */
  #scannedAt = -Infinity
  /** When the running refresh was requested. It may wait for a slot. */
  #requestedAt = 0
  /** Aborts the running scan. */
  #abort = new AbortController()
  #isClosed = false

  constructor(root: ObjectStore, options: ScanOptions) {
    const { org, timing, queues = new ScanQueues(), limits = defaultScanLimits } = options
    const { published, shared, depth = 1, onChange = () => {}, onEnd } = options
    this.root = root
    this.#source = openLocation(root, published)
    this.#org = org
    this.#timing = timing
    this.#queues = queues
    this.#onEnd = onEnd
    this.#directories = new SourceNames({
      shared,
      onChange: (directories) => onChange(this.#nested?.update(directories) ?? directories),
    })
    if (depth === 2) this.#nested = new NestedNames(this.#directories.all, this.#source)
    const runLookup = (lookup: () => Promise<boolean>) => this.#chooseQueues().lookups.run(org, lookup)
    this.#scanner = new LocationScanner({
      root,
      depth,
      directories: this.#directories,
      hasName: (name) => this.names.has(name),
      limits,
      runLookup,
    })
  }

  /** The names of the known repositories. They stay known while scans fail. */
  get names(): ReadonlySet<string> {
    return (this.#nested ?? this.#directories).all
  }

  /** Opens the store of a repository. */
  open(name: string): ObjectStore {
    return this.findSource(name).open(name)
  }

  /** Returns the source of a known repository: the same object while its name stands for the same directory. */
  findSource(name: string): EntrySource {
    return this.#nested?.get(name) ?? this.#source
  }

  /**
   * Whether the last scan reached its time limit before it had checked everything, although it made progress. The next
   * one begins at once.
   */
  get isPartial(): boolean {
    return this.#isPartial
  }

  /** Whether {@link refresh} would begin no scan. */
  get isFresh(): boolean {
    return this.#timing.elapsed() < this.#freshUntil
  }

  /**
   * Whether {@link names} can be trusted: a scan of some replica has made progress, and the last one of this replica
   * has not failed.
   */
  get isUsable(): boolean {
    return this.#hasAnswered && this.#failure === undefined
  }

  /** Why the last scan failed; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure
  }

  /**
   * Scans the location, or reads what another replica has found, unless the names are fresh. Resolves when that has
   * ended or failed. Callers share one scan.
   *
   * @param minAgeMs a scan of this process is not repeated before it is this old, in milliseconds
   */
  refresh(minAgeMs = 0): Promise<void> {
    const isYoung = this.#directories.isExclusive && this.#timing.elapsed() < this.#scannedAt + minAgeMs
    if (this.#isClosed || this.isFresh || isYoung) return Promise.resolve()
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined
      if (this.#isPartial) void this.refresh()
    })
    return this.#running
  }

  /**
   * Waits for a scan that {@link refresh} has begun, until five seconds after it was requested. Does not wait if the
   * last scan failed, or if the location is large and its names are known, so that such a location delays few requests.
   */
  async waitFor(end: Promise<void>): Promise<void> {
    const leftMs = this.#requestedAt + waitLimitMs - this.#timing.elapsed()
    if (this.#failure !== undefined || (this.isUsable && this.#listedInMs > quickListMs) || leftMs <= 0) return
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const cancel = this.#timing.after(leftMs, resolve)
    await Promise.race([end, timeout])
    cancel()
  }

  /** Whether the location has a repository, even one that no scan has found yet. */
  find(name: string, signal: AbortSignal): Promise<boolean> {
    return this.#scanner.find(name, signal)
  }

  /** Returns the name of the repository in a directory of the location, even one that no scan has found yet. */
  async findDirectory(directory: string, makeSignal: () => AbortSignal): Promise<string | undefined> {
    return this.#scanner.findDirectory(directory, makeSignal)
  }

  /** Aborts the running scan and begins no more. */
  close(): void {
    this.#isClosed = true
    this.#directories.close()
    this.#abort.abort(new Error('the service is stopping'))
  }

  async #refresh(): Promise<void> {
    this.#requestedAt = this.#timing.elapsed()
    const mustScan = this.#directories.isExclusive || (await this.#directories.readRecorded())
    this.#hasAnswered ||= this.#directories.isRecorded
    if (mustScan) {
      await this.#chooseQueues().scans.run(this.#org, async () => {
        if (!this.#isClosed) await this.#scan()
      })
      void this.#directories.record()
    } else {
      this.#isPartial = false
      this.#failure = undefined
      this.#freshUntil = this.#requestedAt + scanMaxAgeMs
    }
  }

  #chooseQueues() {
    return this.#queues.choose(this.#failure !== undefined)
  }

  async #scan(): Promise<void> {
    const scanner = this.#scanner
    const timeout = new ObjectStoreTimeoutError(this.root.location, '', `took longer than ${scanTimeoutMs / 1000} s`)
    this.#abort = new AbortController()
    const { signal } = this.#abort
    const cancelTimeout = this.#timing.after(scanTimeoutMs, () => this.#abort.abort(timeout))
    const checkedBefore = scanner.checked
    const isFirst = !this.#hasAnswered
    this.#scannedAt = this.#timing.elapsed()
    try {
      // The store may ignore the signal.
      await waitOrAbort(this.#listAndUpdate(signal), signal)
      this.#isPartial = false
      this.#hasAnswered = true
      this.#freshUntil = this.#scannedAt + Math.max(scanMaxAgeMs, this.#listedInMs * scanMaxAgeFactor)
      this.#failure = undefined
    } catch (error) {
      this.#isPartial = error === timeout && scanner.checked > checkedBefore
      this.#hasAnswered ||= this.#isPartial
      this.#failure = this.#isPartial ? undefined : error
    } finally {
      cancelTimeout()
      const changes = scanner.takeChanges()
      // Repositories found by the first scan are not new, so they are not logged as added.
      if (!this.#isClosed) this.#onEnd(this.#failure, isFirst ? { ...changes, added: [], removed: [] } : changes)
    }
  }

  async #listAndUpdate(signal: AbortSignal): Promise<void> {
    const start = this.#timing.elapsed()
    const listed = await this.#scanner.list(signal)
    this.#listedInMs = this.#timing.elapsed() - start
    await this.#scanner.update(listed, signal)
  }
}

function openLocation(root: ObjectStore, published: StorageTemplate | undefined): EntrySource {
  return {
    open: (directory) => root.below(`${directory}/`),
    publish: (directory) => published && publishStorage(published, ...directory.split('/')),
  }
}

/**
 * Refreshes the scans, and waits for each as {@link SourceScan.waitFor} does. If there is no answer then, waits until
 * one scan succeeds or all have failed.
 */
export async function waitForScans(scans: readonly SourceScan[], hasAnswer: () => boolean): Promise<void> {
  const running = scans.map((scan) => ({ scan, end: scan.refresh() }))
  await Promise.all(running.map(({ scan, end }) => scan.waitFor(end)))
  if (hasAnswer()) return
  const waitForAnswer = async ({ scan, end }: (typeof running)[number]) => {
    await end
    if (!scan.isUsable) throw scan.failure
  }
  await Promise.any(running.map(waitForAnswer)).catch(() => {})
}
