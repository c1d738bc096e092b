import {
  findPartition,
  findWantedSelection,
  type RefSelection,
  type WantedSelection,
  type WantedSelections,
} from '@floe/storage/database'
import { Slices } from '@floe/storage/waiting'
import { LRUCache } from 'lru-cache'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { type PollParts, WatchedRepository } from './watched-repository.ts'

type Parts = PollParts & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** What is watched of every repository besides `main`, whatever receivers and streams select. */
  readonly alwaysWatched: RefSelection
}

/** Maximum number of repositories that this process does not poll but was asked to check. */
const maxAsked = 1_000

/** A repository whose poll has not begun in time. */
export type LatePoll = { readonly entry: CatalogEntry; readonly lateMs: number }

/** The repositories of a partition that this process polls, by id. */
type Partition = Map<string, WatchedRepository>

/**
 * The repositories that this process checks: those of the partitions that it owns, and others that it was asked to
 * check.
 */
export class WatchedRepositories {
  readonly #parts: Parts
  /** The repositories that this process polls, by the number of their partition. */
  readonly #partitions = new Map<number, Partition>()
  /** Repositories that this process does not poll but was asked to check, by id. */
  readonly #asked = new LRUCache<string, WatchedRepository>({
    max: maxAsked,
    dispose: (repository, _, reason) => {
      if (reason === 'evict') this.#retire(repository)
    },
  })
  /** Dropped repositories that still have a check under way. */
  readonly #retiring = new Set<WatchedRepository>()
  /** Which refs receivers and streams want. */
  #wanted: WantedSelections

  constructor(parts: Parts) {
    this.#parts = parts
    const everywhere = { selection: parts.alwaysWatched, isFollowed: false, judgedKey: '' }
    this.#wanted = { repositories: new Map(), organisations: new Map(), everywhere }
  }

  /** Number of repositories that this process polls. */
  get size(): number {
    return [...this.#partitions.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Lists the repositories whose poll is at least this late, in milliseconds, the latest first. */
  listLate(minMs: number): readonly LatePoll[] {
    const late = [...this.#listPolled()].flatMap(({ entry, lateMs }) => (lateMs < minMs ? [] : [{ entry, lateMs }]))
    return late.sort((one, other) => other.lateMs - one.lateMs)
  }

  get wantedSelections(): WantedSelections {
    return this.#wanted
  }

  /**
   * Replaces the wanted selections, and passes them on to the repositories of these organisations, and to those with
   * these ids. This takes many turns of the event loop if there are many: in one, 30,000 would make the service refuse
   * requests.
   */
  async setWantedSelections(
    wanted: WantedSelections,
    changed: { readonly orgs: ReadonlySet<string>; readonly ids: ReadonlySet<string> },
  ): Promise<void> {
    this.#wanted = wanted
    const slices = new Slices()
    const listed = changed.orgs.size === 0 ? [] : [...this.#list()].filter(({ entry }) => changed.orgs.has(entry.org))
    for (const id of [...listed.map(({ entry }) => entry.id), ...changed.ids]) {
      if (slices.isOver) await slices.next()
      this.noteWantedSelection(id)
    }
  }

  /** Passes the wanted selections on to a repository. */
  noteWantedSelection(id: string): void {
    const repository = this.find(id)
    repository?.noteWantedSelection(this.#findWantedSelection(repository.entry))
  }

  /** The partitions whose repositories are polled. */
  get partitions(): Iterable<number> {
    return this.#partitions.keys()
  }

  hasPartition(number: number): boolean {
    return this.#partitions.has(number)
  }

  /** Begins to poll the repositories of a partition that are adopted from now on. */
  addPartition(number: number): void {
    this.#partitions.set(number, new Map())
  }

  /** Drops the repositories of a partition. Returns whether there were any. */
  dropPartition(number: number): boolean {
    const repositories = [...(this.#partitions.get(number)?.values() ?? [])]
    this.#partitions.delete(number)
    for (const repository of repositories) this.drop(repository)
    return repositories.length > 0
  }

  /** Polls a repository if this process polls its partition. */
  adopt(catalog: Catalog | undefined, name: string, id: string): void {
    const partition = this.#partitions.get(findPartition(id))
    const entry = partition && catalog?.opened.pin(name, id)
    if (entry === undefined) return
    const repository = this.open(entry)
    this.#asked.delete(id)
    partition?.set(id, repository)
    repository.watch(this.#findWantedSelection(entry))
  }

  /** Returns the repository with this id if this process polls it or was asked to check it. */
  find(id: string): WatchedRepository | undefined {
    return this.#partitions.get(findPartition(id))?.get(id) ?? this.#asked.get(id)
  }

  /** Returns the repository of an entry, for a check. */
  open(entry: CatalogEntry): WatchedRepository {
    const repository = this.find(entry.id)
    if (repository?.entry === entry) return repository
    // The entry has another source now.
    if (repository !== undefined) this.drop(repository)
    const opened = new WatchedRepository(entry, this.#parts, this.#findWantedSelection(entry))
    this.#asked.set(entry.id, opened)
    return opened
  }

  /** Forgets a repository that this process need not check any more. */
  drop(repository: WatchedRepository): void {
    const { entry } = repository
    this.#partitions.get(findPartition(entry.id))?.delete(entry.id)
    this.#asked.delete(entry.id)
    this.#parts.catalogs.get(entry.org)?.opened.unpin(entry)
    this.#retire(repository)
  }

  /** Aborts the running checks; resolves when all have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#list(), ...this.#retiring].map((repository) => repository.close()))
  }

  #findWantedSelection(entry: CatalogEntry): WantedSelection {
    return findWantedSelection(this.#wanted, entry)
  }

  *#listPolled(): Iterable<WatchedRepository> {
    for (const partition of this.#partitions.values()) yield* partition.values()
  }

  *#list(): Iterable<WatchedRepository> {
    yield* this.#listPolled()
    yield* this.#asked.values()
  }

  #retire(repository: WatchedRepository): void {
    this.#retiring.add(repository)
    void repository.retire().finally(() => this.#retiring.delete(repository))
  }
}
