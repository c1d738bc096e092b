import { LRUCache } from 'lru-cache'
import { type CatalogEntry, type EntryOptions, type EntrySource, hasId, KnownRepository } from './catalog-entry.ts'

/** Repositories that were asked for lately, by organisation and name. */
export type RecentRepositories = LRUCache<string, KnownRepository>

/** Repositories that stay open because somebody asked for them. */
const maxRecent = 1_000

export function makeRecentRepositories(): RecentRepositories {
  return new LRUCache({ max: maxRecent })
}

type OpenedOptions = EntryOptions & {
  readonly recent: RecentRepositories
  /** Returns the source that has a repository of this name now. */
  readonly findSource: (name: string) => EntrySource | undefined
}

/**
 * The open repositories of a catalog: those that somebody holds, such as those that are polled, and those that were asked for lately. Data of
 * a repository stays cached as long as it is open and its name has the same source.
 */
export class OpenedRepositories {
  readonly #options: OpenedOptions
  readonly #held = new Map<string, KnownRepository & CatalogEntry>()

  constructor(options: OpenedOptions) {
    this.#options = options
  }

  /** Opens the repository of this name. Returns undefined if no source has it. */
  open(name: string): KnownRepository | undefined {
    const { org, limits, recent, findSource } = this.#options
    const source = findSource(name)
    if (source === undefined) return undefined
    const held = this.#held.get(name)
    if (held?.source === source) return held
    const key = `${org}/${name}`
    const known = recent.get(key)
    if (known?.source === source) return known
    const opened = new KnownRepository(name, source, { org, limits })
    recent.set(key, opened)
    return opened
  }

  /** Opens a repository like {@link open}, and keeps it open until {@link release}. */
  hold(name: string, id: string): CatalogEntry | undefined {
    const known = this.open(name)
    if (known === undefined) return undefined
    known.id = id
    if (!hasId(known)) return undefined
    this.#held.set(name, known)
    this.#options.recent.delete(`${known.org}/${name}`)
    return known
  }

  /** Returns the entry of this name that is held. Its source may have lost it since. */
  getHeld(name: string): CatalogEntry | undefined {
    return this.#held.get(name)
  }

  release(entry: CatalogEntry): void {
    if (this.#held.get(entry.name) === entry) this.#held.delete(entry.name)
  }

  /** Whether the source of an entry still has it, and no other source replaces it. */
  isCurrent(entry: CatalogEntry): boolean {
    return this.open(entry.name) === entry
  }

  /** Drops what is cached of the repositories that are held. */
  forget(): void {
    for (const known of this.#held.values()) known.forget()
  }
}
