import type { PublishedStorage } from '@floe/contract'
import type { Repository } from '@floe/storage/icechunk'
import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import type { NameChanges } from '../observation/state-log.ts'
import { publishStorage, type StorageTemplate } from './published-storage.ts'
import { type CatalogEntry, type EntrySource, type OpenedRepository, recordRepositories } from './catalog-entry.ts'
import type { CatalogOptions } from './catalog-options.ts'
import { NameLookups } from './sources/name-lookups.ts'
import type { CatalogSource } from './sources/open-sources.ts'
import { makeRecentRepositories, OpenedRepositories } from './opened-repositories.ts'
import { SourceScan, waitForScans } from './sources/source-scan.ts'

/** The repositories that the last scans of all sources have found. */
export type FoundRepositories = {
  readonly names: readonly string[]
  /** Whether each source was searched to its end. */
  readonly isComplete: boolean
  /** Scanned locations that contain no repository. */
  readonly emptyLocations: readonly string[]
}

type ConfiguredSource = EntrySource & { readonly store: ObjectStore }

/** A subscriber to name changes. */
type Follower = { readonly changed: Set<string>; readonly onChange: () => void }

/**
 * The repositories of one organisation: those in the configuration, and those below scanned locations. If two
 * sources have a repository of the same name, the one in the configuration wins, then the first scanned location. A
 * service can know a million names and need few of the repositories, so only those that are polled or were requested
 * recently are opened.
 */
export class Catalog {
  readonly #org: string
  readonly #options: CatalogOptions
  /** Repositories in the configuration. They are served even if their location is empty. */
  #configured: ReadonlyMap<string, ConfiguredSource> = new Map()
  #scans: readonly SourceScan[] = []
  readonly opened: OpenedRepositories
  readonly #followers: Follower[] = []
  readonly #lookups: NameLookups
  /** The sorted names; undefined after one was added or removed. */
  #sortedNames: readonly string[] | undefined

  constructor(org: string, sources: readonly CatalogSource[], options: CatalogOptions) {
    this.#org = org
    this.#options = options
    const { limits, recent = makeRecentRepositories(), timing, missMaxAgeMs = 0 } = options
    this.#lookups = new NameLookups(timing.elapsed, missMaxAgeMs)
    this.opened = new OpenedRepositories({ org, limits, recent, findSource: (name) => this.#findSource(name) })
    this.serve(sources)
  }

  /**
   * Replaces the sources. What was read of a repository stays cached only if its source is the same object: a store
   * that was opened again may contain other data.
   */
  serve(sources: readonly CatalogSource[]): void {
    const [configuredBefore, scansBefore] = [this.#configured, this.#scans]
    const configured = new Map<string, ConfiguredSource>()
    const scans: SourceScan[] = []
    for (const source of sources) {
      const { store } = source
      if (source.kind === 'scan') {
        scans.push(scansBefore.find(({ root }) => root === store) ?? this.#openScan(source))
      } else if (!configured.has(source.name)) {
        const before = configuredBefore.get(source.name)
        const opened = { store, open: () => store, publish: makePublish(source.published) }
        configured.set(source.name, before?.store === store ? before : opened)
      }
    }
    this.#configured = configured
    this.#scans = scans
    this.#lookups.clear()
    const isChanged = (name: string) => configuredBefore.get(name) !== configured.get(name)
    this.#noteChanges([...configuredBefore.keys(), ...configured.keys()].filter(isChanged))
    for (const scan of scansBefore) {
      if (scans.includes(scan)) continue
      scan.close()
      this.#noteChanges(scan.names)
    }
  }

  /**
   * Lists the names of all repositories, sorted by UTF-8 bytes. Known repositories stay in the list while their source
   * fails or hangs.
   *
   * @throws the error of the first source, if all fail
   */
  async listNames(): Promise<readonly string[]> {
    const scans = this.#scans
    const hasAnswer = () => scans.length === 0 || this.#configured.size > 0 || scans.some(({ isUsable }) => isUsable)
    await waitForScans(scans, hasAnswer)
    // The sources were replaced meanwhile.
    if (this.#scans !== scans) return this.listNames()
    if (!hasAnswer()) throw scans[0]?.failure
    return this.#listKnownNames()
  }

  /** Like {@link listNames}, but undefined if that needs a scan. The same object until a name is added or removed. */
  getKnownNames(): readonly string[] | undefined {
    return this.#scans.every((scan) => scan.isFresh && scan.isUsable) ? this.#listKnownNames() : undefined
  }

  /** Errors of the sources whose last scan failed. */
  get failures(): readonly unknown[] {
    return this.#scans.map(({ failure }) => failure).filter((failure) => failure !== undefined)
  }

  get found(): FoundRepositories {
    const complete = this.#scans.filter(({ isUsable, isPartial }) => isUsable && !isPartial)
    const empty = complete.filter(({ names }) => names.size === 0)
    return {
      names: this.#listKnownNames(),
      isComplete: complete.length === this.#scans.length,
      emptyLocations: empty.map(({ root }) => root.location),
    }
  }

  /**
   * Collects the names that are added, removed or get another source from now on, beginning with all known names. The
   * caller deletes the names that it has handled.
   *
   * @param onChange called after names were added to the returned set
   */
  follow(onChange: () => void): Set<string> {
    const changed = new Set(this.#listKnownNames())
    this.#followers.push({ changed, onChange })
    return changed
  }

  /** Finds the ids of repositories by their names. Gives new repositories an id. Omits names that no repository has. */
  async findIds(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const present = names.filter((name) => this.has(name))
    return present.length === 0 ? new Map() : this.#options.ensureIds(this.#org, present)
  }

  /** Whether a source has a repository of this name. */
  has(name: string): boolean {
    return this.#findSource(name) !== undefined
  }

  /** Finds the repositories at these locations, even new ones. Skips locations that cannot be read now. */
  async findAt(locations: ReadonlySet<string>, makeSignal: () => AbortSignal): Promise<readonly CatalogEntry[]> {
    const candidates: { readonly name: string; readonly source: EntrySource }[] = []
    for (const [name, source] of this.#configured) {
      if (locations.has(source.store.location)) candidates.push({ name, source })
    }
    const findScans = async (location: string) => {
      const scans = this.#scans.filter(({ root }) => location.startsWith(`${root.location}/`))
      // The cache of `find` is of no use here: it is about all locations, and can be older than the repository. If a
      // lookup fails, the next scan finds the repository.
      const findName = (scan: SourceScan) =>
        scan.findDirectory(location.slice(scan.root.location.length + 1), makeSignal).catch(() => undefined)
      const names = await Promise.all(scans.map(findName))
      for (const [index, name] of names.entries()) {
        const source = name === undefined ? undefined : scans[index]?.findSource(name)
        if (name !== undefined && source !== undefined) candidates.push({ name, source })
      }
    }
    await Promise.all([...locations].map(findScans))
    // The source of a candidate may lack the name, or another source may have it before.
    const repositories = candidates.flatMap(({ name, source }) => {
      const repository = this.opened.open(name)
      return repository?.source === source ? [repository] : []
    })
    return this.#record(repositories)
  }

  /**
   * Scans all sources, or reads what other replicas have found. Each promise resolves when its source has answered or
   * failed.
   *
   * @param minAgeMs a scan of this process is not repeated before it is this old, in milliseconds
   */
  refresh(minAgeMs = 0): Promise<void>[] {
    const scans = this.#scans.map((scan) => scan.refresh(minAgeMs))
    return this.#configured.size === 0 ? scans : [Promise.resolve(), ...scans]
  }

  /**
   * Finds a repository by name, even one added since the last scan. A known repository needs no read, and `makeSignal`
   * is not called. An unknown name is cached for a while, so that callers who guess names do not cause a read each
   * time. Never needs the database.
   *
   * @throws the error of a source, if no other source has the name
   */
  async find(name: string, makeSignal: () => AbortSignal): Promise<Repository | undefined> {
    return (await this.#find(name, makeSignal))?.repository
  }

  /** Finds a repository like {@link find}, and records it if it is new. */
  async findEntry(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    const repository = await this.#find(name, makeSignal)
    return repository && (await this.#record([repository]))[0]
  }

  /** Returns the repository of this name if {@link find} would not need a store. */
  getKnown(name: string): Repository | undefined {
    return this.opened.open(name)?.repository
  }

  /** How readers open a repository without Floe; undefined if that is not published. */
  getPublished(name: string): PublishedStorage | undefined {
    return this.#findSource(name)?.publish(name)
  }

  close(): void {
    for (const scan of this.#scans) scan.close()
  }

  #openScan({ store, id, published, depth }: CatalogSource & { readonly kind: 'scan' }): SourceScan {
    const { timing, queues, states, shared, scanLimits: limits } = this.#options
    const org = this.#org
    return new SourceScan(store, {
      org,
      published,
      depth,
      timing,
      queues,
      limits,
      shared: shared && id !== undefined ? { ...shared, sourceId: id } : undefined,
      onChange: (names) => this.#noteChanges(names),
      onEnd: (failure: unknown, changes: NameChanges) => {
        states.note({ org, location: store.location }, failure)
        states.noteNames(org, changes)
      },
    })
  }

  #findSource(name: string): EntrySource | undefined {
    return this.#configured.get(name) ?? this.#scans.find((scan) => scan.names.has(name))?.findSource(name)
  }

  async #find(name: string, makeSignal: () => AbortSignal): Promise<OpenedRepository | undefined> {
    const repository = this.opened.open(name)
    if (repository !== undefined) return repository
    await this.#lookups.find(name, this.#scans, makeSignal)
    return this.opened.open(name)
  }

  #record(repositories: readonly OpenedRepository[]): Promise<readonly CatalogEntry[]> {
    return recordRepositories(this.#org, repositories, this.#options.ensureIds)
  }

  /** Notes names that were added or removed, or have another source. */
  #noteChanges(names: Iterable<string>): void {
    this.#sortedNames = undefined
    for (const { changed, onChange } of this.#followers) {
      for (const name of names) changed.add(name)
      onChange()
    }
  }

  #listKnownNames(): readonly string[] {
    const names = () => new Set([...this.#configured.keys(), ...this.#scans.flatMap(({ names }) => [...names])])
    return (this.#sortedNames ??= sortUtf8([...names()]))
  }
}

function makePublish(template: StorageTemplate | undefined): EntrySource['publish'] {
  return (name) => template && publishStorage(template, name)
}
