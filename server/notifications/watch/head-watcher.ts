// Watches the heads of all repositories: polls each in its turn, looks at once at those whose files change on this machine, and
// records every move that it sees.
import { listRepositoriesWithReceivers } from '@floe/storage/database'
import type { Catalog, CatalogEntry } from '../../repositories/catalog.ts'
import type { Timing } from '../../timing.ts'
import type { HeadRecording, SeenHead } from './check-head.ts'
import { WatchedRepository } from './watched-repository.ts'
import type { Observation } from './watched-repository.ts'

/** What a {@link HeadWatcher} works with. */
export type HeadWatcherOptions = Omit<HeadRecording, 'now'> & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** Time between two looks at a repository with receivers, in milliseconds. */
  readonly pollIntervalMs: number
  readonly timing: Timing
  /** Hears that deliveries may have been recorded. */
  readonly onHeadMove: () => void
  /** Hears of failures that last; of those of one repository once. */
  readonly onError: (error: unknown) => void
}

/** Polls under way at the same time. Looks for other reasons do not wait. */
const maxPolls = 16

/** The least time between two rounds, in milliseconds: each goes through all repositories. */
const minRoundMs = 50

/** The longest search for repositories, in milliseconds. */
const listLimitMs = 60_000

/** The failure of a repository that is told of: by then, a file that is being copied is whole. */
const toldFailure = 4

/** Watches from its start until it is stopped. A refresh needs no start. */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions
  /** By id. */
  readonly #repositories = new Map<string, WatchedRepository>()
  /** Those that have changed during a look, until the next begins. */
  readonly #changed = new Set<WatchedRepository>()
  /** Those that are due and wait for a poll to end. */
  readonly #queue = new Set<WatchedRepository>()
  #withReceivers: ReadonlySet<string> = new Set()
  #polls = 0
  #nextRoundAt = Infinity
  #cancelRound: () => void = ignore
  #cancelListing: () => void = ignore
  #listing: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(options: HeadWatcherOptions) {
    this.#options = options
  }

  /** Begins to watch. */
  start(): void {
    this.#listing = this.#list()
  }

  /** Looks at a repository now, also one that was not listed yet. Throws what that meets with. */
  refresh(entry: CatalogEntry): Promise<SeenHead> {
    return this.#look(this.#adopt(entry))
  }

  /** The last look at each repository. */
  observations(): Observation[] {
    return [...this.#repositories.values()].map((repository) => repository.observation)
  }

  /** Looks at nothing more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelRound()
    this.#cancelListing()
    await this.#listing
    await Promise.all([...this.#repositories.values()].map((repository) => repository.close()))
  }

  /** Finds out which repositories there are, and which have receivers; once in every interval. */
  async #list(): Promise<void> {
    const { db, catalogs, pollIntervalMs, timing, onError } = this.#options
    const abort = new AbortController()
    const limit = new Error(`the repositories were not found within ${listLimitMs / 1000} s`)
    const cancelLimit = timing.after(listLimitMs, () => abort.abort(limit))
    this.#cancelListing = () => abort.abort(new Error('the service is stopping'))
    const parts = await Promise.allSettled([
      listRepositoriesWithReceivers(db).then((ids) => this.#noteReceivers(ids)),
      ...[...catalogs].map(([org, catalog]) => this.#listOrganisation(org, catalog, abort.signal)),
    ])
    cancelLimit()
    if (this.#isStopping) return
    for (const part of parts) if (part.status === 'rejected') onError(part.reason)
    this.#planRound(timing.now())
    this.#cancelListing = timing.after(pollIntervalMs, () => {
      this.#listing = this.#list()
    })
  }

  #noteReceivers(withReceivers: ReadonlySet<string>): void {
    const now = this.#options.timing.now()
    for (const [id, repository] of this.#repositories) {
      const isNew = withReceivers.has(id) && !this.#withReceivers.has(id)
      if (isNew) repository.dueAt = now
    }
    this.#withReceivers = withReceivers
  }

  async #listOrganisation(org: string, catalog: Catalog, signal: AbortSignal): Promise<void> {
    const ids = new Set<string>()
    for (const name of await catalog.names(signal)) {
      const entry = await catalog.find(name, () => signal)
      if (this.#isStopping) return
      if (entry === undefined) continue
      this.#adopt(entry)
      ids.add(entry.id)
    }
    for (const [id, repository] of this.#repositories) {
      if (repository.entry.org === org && !ids.has(id)) this.#drop(repository)
    }
  }

  #adopt(entry: CatalogEntry): WatchedRepository {
    const { db, maxCommits, timing } = this.#options
    const known = this.#repositories.get(entry.id)
    if (known?.entry === entry) return known
    if (known !== undefined) this.#drop(known)
    const recording = { db, maxCommits, now: timing.now }
    const repository = new WatchedRepository(entry, recording, timing, () => void this.#lookAtChange(repository))
    this.#repositories.set(entry.id, repository)
    return repository
  }

  #drop(repository: WatchedRepository): void {
    this.#repositories.delete(repository.entry.id)
    this.#queue.delete(repository)
    void repository.close()
  }

  #planRound(at: number): void {
    const { now, after } = this.#options.timing
    if (this.#isStopping || at >= this.#nextRoundAt) return
    this.#cancelRound()
    this.#nextRoundAt = at
    this.#cancelRound = after(Math.max(at - now(), minRoundMs), () => this.#round())
  }

  #round(): void {
    const now = this.#options.timing.now()
    this.#nextRoundAt = Infinity
    let next = Infinity
    for (const repository of this.#repositories.values()) {
      if (repository.isRunning) continue
      if (repository.dueAt <= now) this.#queue.add(repository)
      else next = Math.min(next, repository.dueAt)
    }
    this.#startPolls()
    this.#planRound(next)
  }

  #startPolls(): void {
    for (const repository of this.#queue) {
      if (this.#isStopping || this.#polls === maxPolls) return
      this.#queue.delete(repository)
      this.#polls++
      this.#look(repository)
        .catch(ignore)
        .finally(() => {
          this.#polls--
          this.#startPolls()
        })
    }
  }

  async #lookAtChange(repository: WatchedRepository): Promise<void> {
    if (this.#isStopping || this.#changed.has(repository)) return
    this.#changed.add(repository)
    await repository.ended()
    this.#changed.delete(repository)
    repository.forgive()
    await this.#look(repository).catch(ignore)
  }

  async #look(repository: WatchedRepository): Promise<SeenHead> {
    const { pollIntervalMs, onHeadMove, onError } = this.#options
    try {
      const seen = await repository.look()
      if (seen.eventId !== null) onHeadMove()
      return seen
    } catch (error) {
      if (repository.failures === toldFailure) onError(error)
      throw error
    } finally {
      repository.plan(pollIntervalMs, this.#withReceivers.has(repository.entry.id))
      this.#planRound(repository.dueAt)
    }
  }
}

/** Failures are kept by the repository, and told by `onError`. */
function ignore(): void {}
