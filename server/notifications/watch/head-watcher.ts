// Watches the heads of all repositories and records every move. Each repository is checked at regular intervals, and at
// once when its files change on this machine.
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  listRepositoriesOfPartitions,
  listWantedSelections,
  type RefSelection,
  type PartitionRange,
} from '@floe/storage/database'
import { BackgroundLoop, Slices } from '@floe/storage/waiting'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { CheckedHead } from './checks/check-head.ts'
import { CatalogChanges } from './catalog-changes.ts'
import { openHeadRecords } from './checks/head-records.ts'
import { PollQueue } from './poll-queue.ts'
import { WatchedRepositories } from './watched-repositories.ts'
import type { PollParts } from './watched-repository.ts'

type HeadWatcherParts = Omit<PollParts, 'heads' | 'polls'> & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** What is watched of every repository besides `main`, whatever receivers and streams select. */
  readonly alwaysWatched: RefSelection
  /** The partitions whose repositories this process watches. It polls them only while `isPolling` says so. */
  readonly listPartitions: () => ReadonlySet<number>
}

/** How often we read the repositories that other replicas found, in milliseconds, unless polls are more frequent. */
const learnIntervalMs = 10_000

/** How long callers wait for judgements, and those who have saved something for the check too, in milliseconds. */
const maxWaitMs = 5_000

/** Maximum number of repositories that are read from the database together. */
const batchSize = 500

/** Finds the repositories and watches them from `start` to `stop`. `check` also works before `start`. */
export class HeadWatcher {
  readonly #parts: HeadWatcherParts
  /** The repositories, their last checks and late polls. */
  readonly repositories: WatchedRepositories
  /** Reads what receivers and streams select, lists the catalogs, and follows changes of partitions. */
  readonly #reviews: BackgroundLoop
  /** Time between two lists of the catalogs, in milliseconds. */
  readonly #listIntervalMs: number
  /** When the catalogs are listed next, by the stopwatch. */
  #listAt = 0
  /** Owned partitions whose recorded repositories are not all adopted yet. */
  readonly #unread = new Set<number>()
  readonly #catalogChanges: CatalogChanges

  constructor(parts: HeadWatcherParts) {
    const { timing, pollIntervalMs, onError } = parts
    this.#parts = parts
    const polls = new PollQueue(timing)
    this.repositories = new WatchedRepositories({ ...parts, polls, heads: openHeadRecords(parts) })
    this.#listIntervalMs = Math.min(pollIntervalMs, learnIntervalMs)
    const loop = { restMs: this.#listIntervalMs, after: timing.after, onError }
    this.#reviews = new BackgroundLoop({ ...loop, work: (signal) => this.#review(signal) })
    this.#catalogChanges = new CatalogChanges(this.repositories, loop)
  }

  start(): void {
    // Repositories that were recorded before are adopted when their names are listed.
    for (const partition of this.#parts.listPartitions()) this.repositories.addPartition(partition)
    void this.#reviews.start()
    this.#catalogChanges.start()
  }

  /** Reads again which refs receivers and streams want, and determines which repositories this process polls. */
  review(): void {
    this.#reviews.wake()
  }

  /**
   * Checks and judges a repository now, even one that is not listed yet. Stops waiting for judgements after 5 s,
   * because those that read data can take long; they go on. Throws the error of the check.
   */
  async check(entry: CatalogEntry): Promise<CheckedHead> {
    const repository = this.repositories.open(entry)
    const head = await repository.check()
    await this.#limitWait(repository.judgementsEnded)
    return head
  }

  /**
   * Checks and judges a repository now, with the receivers and expectations that were just saved. Stops waiting after
   * 5 s, because a slow store must not delay the answer to who saved them; the check goes on. If the repository cannot
   * be read now, the first check that succeeds judges it.
   */
  async checkSelection(entry: CatalogEntry): Promise<void> {
    const checkSaved = async () => {
      await this.#readWantedSelections()
      // Another call may be passing them on.
      this.repositories.noteWantedSelection(entry.id)
      // The repository has noted why it failed.
      await this.check(entry).catch(() => {})
    }
    await this.#limitWait(checkSaved())
  }

  /** Judges a repository soon, because something was said of a snapshot that may decide which heads are good. */
  noteRemark(entry: CatalogEntry): void {
    this.repositories.open(entry).noteRemark()
  }

  async #limitWait(work: Promise<void>): Promise<void> {
    const { promise: timeIsOver, resolve } = Promise.withResolvers<void>()
    const cancel = this.#parts.timing.after(maxWaitMs, resolve)
    try {
      await Promise.race([work, timeIsOver])
    } finally {
      cancel()
    }
  }

  /** Aborts the running checks and begins no more; resolves when all have ended. */
  async stop(): Promise<void> {
    await Promise.all([this.#reviews.stop(), this.#catalogChanges.stop()])
    await this.repositories.close()
  }

  /** One pass of the reviews. Returns how long to rest, in milliseconds. */
  async #review(signal: AbortSignal): Promise<number> {
    const { elapsed } = this.#parts.timing
    await this.#readWantedSelections()
    if (elapsed() >= this.#listAt) await this.#listCatalogs(signal)
    await this.#reviewPartitions(signal)
    return Math.max(0, this.#listAt - elapsed())
  }

  /** Reads which refs receivers and streams want. If the database fails, the selections stay as they are. */
  async #readWantedSelections(): Promise<void> {
    const { db, alwaysWatched, timing, onError } = this.#parts
    try {
      const before = this.repositories.wantedSelections
      const wanted = await listWantedSelections(db, alwaysWatched, new Date(timing.now()))
      // A receiver or a stream of an organisation can concern any of its repositories.
      const orgs = listChanged(before.organisations, wanted.organisations)
      const ids = listChanged(before.repositories, wanted.repositories)
      await this.repositories.setWantedSelections(wanted, { orgs, ids })
    } catch (error) {
      onError(error)
    }
  }

  /**
   * Scans the sources of this process at every interval of polls, and reads more often what other replicas have found.
   * Repositories are watched as soon as a scan finds them, so that a source that fails or hangs does not delay others.
   */
  async #listCatalogs(signal: AbortSignal): Promise<void> {
    const { catalogs, pollIntervalMs, timing, onError } = this.#parts
    const minAgeMs = pollIntervalMs - this.#listIntervalMs / 2
    const slices = new Slices()
    for (const catalog of catalogs.values()) {
      this.#catalogChanges.follow(catalog)
      for (const answer of catalog.refresh(minAgeMs)) answer.catch(onError)
      if (slices.isOver) await slices.next()
      if (signal.aborted) return
    }
    this.#listAt = timing.elapsed() + this.#listIntervalMs
  }

  /**
   * Drops the repositories of partitions that this process no longer owns, and adopts those of partitions that it has
   * gained.
   */
  async #reviewPartitions(signal: AbortSignal): Promise<void> {
    const owned = this.#parts.listPartitions()
    for (const partition of this.repositories.partitions) {
      if (owned.has(partition)) continue
      this.#unread.delete(partition)
      if (this.repositories.dropPartition(partition)) await setImmediate()
    }
    for (const partition of owned) {
      if (this.repositories.hasPartition(partition)) continue
      this.repositories.addPartition(partition)
      this.#unread.add(partition)
    }
    for (const range of groupPartitions(this.#unread)) await this.#adoptPartitions(range, signal)
  }

  /** Adopts the recorded repositories of partitions. New names are adopted as the catalogs learn them. */
  async #adoptPartitions(range: PartitionRange, signal: AbortSignal): Promise<void> {
    const { db, catalogs } = this.#parts
    let after: string | undefined = ''
    while (after !== undefined) {
      if (signal.aborted) return
      const page = await listRepositoriesOfPartitions(db, range, { after, limit: batchSize })
      for (const { id, org, name } of page) this.repositories.adopt(catalogs.get(org), name, id)
      after = page.at(-1)?.id
    }
    for (let partition = range.first; partition <= range.last; partition++) this.#unread.delete(partition)
  }
}

/** Lists the keys whose values differ. */
function listChanged(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const keys = new Set([...before.keys(), ...after.keys()])
  return new Set([...keys].filter((key) => !isDeepStrictEqual(before.get(key), after.get(key))))
}

/** Groups partitions with successive numbers, which one query can read. */
function groupPartitions(partitions: Iterable<number>): readonly PartitionRange[] {
  const ranges: { first: number; last: number }[] = []
  for (const partition of [...partitions].sort((left, right) => left - right)) {
    const range = ranges.at(-1)
    if (range?.last === partition - 1) range.last = partition
    else ranges.push({ first: partition, last: partition })
  }
  return ranges
}
