import type { ReaderLimits, Repository } from '@floe/storage/icechunk'
import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import type { NameChanges, StateLog } from '../http/observation/state-log.ts'
import type { PublishedStorage } from '../published-storage.ts'
import type { Timing } from '../timing.ts'
import { type CatalogEntry, type EntrySource, hasId, type KnownRepository } from './catalog-entry.ts'
import { NameLookUps } from './name-look-ups.ts'
import { makeRecentRepositories, OpenedRepositories, type RecentRepositories } from './opened-repositories.ts'
import type { ScanTurns } from './scan-turns.ts'
import type { SharedScans } from './source-names.ts'
import type { CatalogSource } from './open-sources.ts'
import { type ScanLimits, SourceScan } from './source-scan.ts'

export type CatalogOptions = {
  /** Returns the stable ids of repositories by their names; records those of new names, which needs a database that takes changes. */
  readonly ensureIds: (org: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Limits of the repositories. Call {@link OpenedRepositories.forget} when they have changed. */
  readonly limits: ReaderLimits
  readonly scanLimits?: ScanLimits
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** How long a name that leads to no repository is cached, in milliseconds. Default 0. */
  readonly missMaxAgeMs?: number
  /** Turns of scans, which all catalogs of a process share. By default, each scan has its own. */
  readonly turns?: ScanTurns | undefined
  /** How replicas share scans. By default, this process scans all sources. */
  readonly shared?: SharedScans | undefined
  /** Repositories that were asked for lately, by organisation and name. All catalogs of a process share it. By default, each has its own. */
  readonly recent?: RecentRepositories | undefined
  /** Told of scans that fail, and of what they find. */
  readonly states: StateLog
}

/** What the last scans of all sources have found. */
export type FoundRepositories = {
  readonly names: readonly string[]
  /** Whether each source was searched to its end. */
  readonly isComplete: boolean
  /** Scanned locations that hold no repository. */
  readonly emptyLocations: readonly string[]
}

type ConfiguredSource = EntrySource & { readonly store: ObjectStore; readonly published: PublishedStorage | undefined }

/** Somebody who wants to know of changed names. */
type Follower = { readonly changed: Set<string>; readonly onChange: () => void }

/**
 * The repositories of one organisation: those in the configuration, and those directly below scanned locations. If two sources have a
 * repository of the same name, the one in the configuration wins, then the first scanned location. A service can know a million names and need
 * few of the repositories, so only those that are polled or were asked for lately are opened.
 */
export class Catalog {
  readonly #org: string
  readonly #options: CatalogOptions
  /** Repositories in the configuration. They are served even if their location is empty. */
  #configured: ReadonlyMap<string, ConfiguredSource> = new Map()
  #scans: readonly SourceScan[] = []
  readonly opened: OpenedRepositories
  readonly #followers: Follower[] = []
  readonly #lookUps: NameLookUps
  /** The names in order, until one is added or removed. */
  #listed: readonly string[] | undefined

  constructor(org: string, sources: readonly CatalogSource[], options: CatalogOptions) {
    this.#org = org
    this.#options = options
    const { limits, recent = makeRecentRepositories(), timing, missMaxAgeMs = 0 } = options
    this.#lookUps = new NameLookUps(timing.elapsed, missMaxAgeMs)
    this.opened = new OpenedRepositories({ org, limits, recent, findSource: (name) => this.#findSource(name) })
    this.serve(sources)
  }

  /**
   * Replaces the sources. Data of a repository stays cached only if its source is the same object: a store that was opened again may hold
   * other data.
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
        const known = configuredBefore.get(source.name)
        configured.set(
          source.name,
          known?.store === store ? known : { store, published: source.published, open: () => store },
        )
      }
    }
    this.#configured = configured
    this.#scans = scans
    this.#lookUps.clear()
    const isNew = (name: string) => configuredBefore.get(name) !== configured.get(name)
    this.#note([...configuredBefore.keys(), ...configured.keys()].filter(isNew))
    for (const scan of scansBefore) {
      if (scans.includes(scan)) continue
      scan.close()
      this.#note(scan.names)
    }
  }

  /**
   * Lists the names of all repositories, sorted by UTF-8 bytes. Known repositories stay in the list while their source fails or hangs.
   *
   * @throws the error of the first source, when all fail
   */
  async listNames(): Promise<readonly string[]> {
    const scans = this.#scans
    const begun = scans.map((scan) => ({ scan, end: scan.refresh() }))
    await Promise.all(begun.map(({ scan, end }) => scan.waitFor(end)))
    const hasAnswer = () => scans.length === 0 || this.#configured.size > 0 || scans.some(({ isUsable }) => isUsable)
    if (!hasAnswer()) {
      const waitForOne = async ({ scan, end }: (typeof begun)[number]) => {
        await end
        if (!scan.isUsable) throw scan.failure
      }
      await Promise.any(begun.map(waitForOne)).catch(() => {})
    }
    if (this.#scans !== scans) return this.listNames()
    if (!hasAnswer()) throw scans[0]?.failure
    return this.#listKnownNames()
  }

  /** Returns the same list as {@link listNames} if that needs no scan. The list is the same object until a name is added or removed. */
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
   * Collects the names that are added, removed or get another source from now on, beginning with all that are known. The caller deletes those
   * that it has handled.
   *
   * @param onChange called when there are more
   */
  follow(onChange: () => void): Set<string> {
    const changed = new Set(this.#listKnownNames())
    this.#followers.push({ changed, onChange })
    return changed
  }

  /** Finds the ids of the repositories that have these names, and records those that are new. Omits names that no repository has. */
  async findIds(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const known = names.filter((name) => this.has(name))
    return known.length === 0 ? new Map() : this.#options.ensureIds(this.#org, known)
  }

  /** Whether a source has a repository of this name. */
  has(name: string): boolean {
    return this.#findSource(name) !== undefined
  }

  /** Finds the repositories at these locations, even those added since the last scan. Passes over those that cannot be looked up now. */
  async findAt(locations: ReadonlySet<string>, makeSignal: () => AbortSignal): Promise<readonly CatalogEntry[]> {
    const configured = [...this.#configured].filter(([, { store }]) => locations.has(store.location))
    const places: (readonly [string, EntrySource])[] = [...configured]
    const find = async (location: string) => {
      const end = location.lastIndexOf('/')
      const name = location.slice(end + 1)
      const scans = this.#scans.filter(({ root }) => root.location === location.slice(0, end))
      // The next scan finds what cannot be looked up now.
      if (!this.has(name)) await this.#lookUps.find(name, scans, makeSignal).catch(() => {})
      places.push(...scans.map((scan) => [name, scan] as const))
    }
    await Promise.all([...locations].map(find))
    const known = places.map(([name, source]) => ({ source, one: this.opened.open(name) }))
    return this.#record(known.flatMap(({ source, one }) => (one?.source === source ? [one] : [])))
  }

  /**
   * Scans all sources, or reads what other replicas have found. Each promise resolves when its source has answered or failed.
   *
   * @param minAgeMs a scan of this process is not repeated before it is as old as this, in milliseconds
   */
  refresh(minAgeMs = 0): Promise<void>[] {
    const scans = this.#scans.map((scan) => scan.refresh(minAgeMs))
    return this.#configured.size === 0 ? scans : [Promise.resolve(), ...scans]
  }

  /**
   * Finds a repository by name, even one added since the last scan. A known repository needs no read, and `makeSignal` is not called. An
   * unknown name is cached for a while, so that guessing names does not read the store each time. Never needs the database.
   *
   * @throws the error of a source, when no other source has the name
   */
  async find(name: string, makeSignal: () => AbortSignal): Promise<Repository | undefined> {
    return (await this.#find(name, makeSignal))?.repository
  }

  /** Finds a repository like {@link find}, and records it if it is new. */
  async findEntry(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    const known = await this.#find(name, makeSignal)
    return known && (await this.#record([known]))[0]
  }

  /** Returns the repository of this name if {@link find} would not need a store. */
  getKnown(name: string): Repository | undefined {
    return this.opened.open(name)?.repository
  }

  /** How readers open a repository without Floe; undefined when that is not published. */
  getPublished(name: string): PublishedStorage | undefined {
    return this.#configured.get(name)?.published
  }

  close(): void {
    for (const scan of this.#scans) scan.close()
  }

  #openScan({ store, id }: CatalogSource & { readonly kind: 'scan' }): SourceScan {
    const { timing, turns, states, shared, scanLimits: limits } = this.#options
    const org = this.#org
    const onEnd = (failure: unknown, changes: NameChanges) => {
      states.note({ org, location: store.location }, failure)
      states.noteNames(org, changes)
    }
    return new SourceScan(store, {
      org,
      timing,
      turns,
      limits,
      shared: shared && id !== undefined ? { ...shared, sourceId: id } : undefined,
      onChange: (names) => this.#note(names),
      onEnd,
    })
  }

  #findSource(name: string): EntrySource | undefined {
    return this.#configured.get(name) ?? this.#scans.find((scan) => scan.names.has(name))
  }

  async #find(name: string, makeSignal: () => AbortSignal): Promise<KnownRepository | undefined> {
    const known = this.opened.open(name)
    if (known !== undefined) return known
    await this.#lookUps.find(name, this.#scans, makeSignal)
    return this.opened.open(name)
  }

  /** Notes names that were added or removed, or have another source. */
  #note(names: Iterable<string>): void {
    this.#listed = undefined
    for (const { changed, onChange } of this.#followers) {
      for (const name of names) changed.add(name)
      onChange()
    }
  }

  /** Returns the entries of repositories. One query finds the ids of all that have none yet. */
  async #record(known: readonly KnownRepository[]): Promise<readonly CatalogEntry[]> {
    const org = this.#org
    const unrecorded = known.filter(({ id }) => id === undefined)
    if (unrecorded.length > 0) {
      const ids = await this.#options.ensureIds(
        org,
        unrecorded.map(({ name }) => name),
      )
      for (const one of unrecorded) one.id ??= ids.get(one.name)
    }
    return known.map((one) => {
      if (!hasId(one)) throw new TypeError(`${org}/${one.name} got no id`)
      return one
    })
  }

  #listKnownNames(): readonly string[] {
    const all = () => new Set([...this.#configured.keys(), ...this.#scans.flatMap(({ names }) => [...names])])
    return (this.#listed ??= sortUtf8([...all()]))
  }
}
