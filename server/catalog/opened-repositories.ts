import type { RepoCache } from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import { type CatalogEntry, type EntryOptions, type EntrySource, hasId, OpenedRepository } from './catalog-entry.ts'

/** Caches that all catalogs share. Each drops what was used least recently. */
export type RecentRepositories = {
  /** Recently requested repositories, by organisation and name. */
  readonly opened: LRUCache<string, OpenedRepository>
  readonly repos: RepoCache
}

/** Maximum number of recently requested repositories that stay open. */
const maxRecent = 1_000

/** Maximum memory of the `repo` objects of all open repositories together, in bytes. */
const maxRepoBytes = 128 * 1024 * 1024

/** Memory of a cached `repo` object besides its content, in bytes. */
const entryBytes = 1_000

export function makeRecentRepositories(): RecentRepositories {
  return {
    opened: new LRUCache({ max: maxRecent }),
    repos: new LRUCache({ maxSize: maxRepoBytes, sizeCalculation: ({ bytes }) => entryBytes + bytes }),
  }
}

type OpenedOptions = Omit<EntryOptions, 'cache'> & {
  readonly recent: RecentRepositories
  /** Returns the source that has a repository of this name now. */
  readonly findSource: (name: string) => EntrySource | undefined
}

/**
 * The open repositories of a catalog: those that are pinned, such as the polled ones, and the recently requested ones.
 * What was read of a repository stays cached while it is open and its name has the same source.
 */
export class OpenedRepositories {
  readonly #options: OpenedOptions
  readonly #pinned = new Map<string, OpenedRepository & CatalogEntry>()

  constructor(options: OpenedOptions) {
    this.#options = options
  }

  /** Opens the repository of this name. Returns undefined if no source has it. */
  open(name: string): OpenedRepository | undefined {
    const { org, limits, recent, findSource } = this.#options
    const source = findSource(name)
    if (source === undefined) return undefined
    const pinned = this.#pinned.get(name)
    if (pinned?.source === source) return pinned
    const key = `${org}/${name}`
    const cached = recent.opened.get(key)
    if (cached?.source === source) return cached
    const opened = new OpenedRepository(name, source, { org, limits, cache: recent.repos })
    recent.opened.set(key, opened)
    return opened
  }

  /** Opens a repository like {@link open}, and keeps it open until {@link unpin}. */
  pin(name: string, id: string): CatalogEntry | undefined {
    const repository = this.open(name)
    if (repository === undefined) return undefined
    repository.id = id
    if (!hasId(repository)) return undefined
    this.#pinned.set(name, repository)
    this.#options.recent.opened.delete(`${repository.org}/${name}`)
    return repository
  }

  /** Returns the pinned entry of this name. Its source may have lost it since. */
  getPinned(name: string): CatalogEntry | undefined {
    return this.#pinned.get(name)
  }

  unpin(entry: CatalogEntry): void {
    if (this.#pinned.get(entry.name) === entry) this.#pinned.delete(entry.name)
  }

  /** Whether the source of an entry still has it, and no other source replaces it. */
  isCurrent(entry: CatalogEntry): boolean {
    return this.open(entry.name) === entry
  }

  /** Drops what is cached of the pinned repositories. */
  forget(): void {
    for (const repository of this.#pinned.values()) repository.forget()
  }
}
