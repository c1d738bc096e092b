import { Catalog } from './catalog.ts'
import type { CatalogOptions } from './catalog-options.ts'
import type { OpenedSources } from './sources/open-sources.ts'
import { makeRecentRepositories } from './opened-repositories.ts'

/** The catalogs of all organisations. They change when the configuration is reloaded. */
export class Catalogs {
  readonly #options: CatalogOptions
  readonly #recent = makeRecentRepositories()
  readonly #byOrg = new Map<string, Catalog>()
  #sources: OpenedSources = new Map()

  constructor(sources: OpenedSources, options: Omit<CatalogOptions, 'recent'>) {
    this.#options = { ...options, recent: this.#recent }
    this.serve(sources)
  }

  get byOrg(): ReadonlyMap<string, Catalog> {
    return this.#byOrg
  }

  get sources(): OpenedSources {
    return this.#sources
  }

  /** Whether the configuration contains an organisation. */
  readonly serves = (org: string): boolean => this.#sources.has(org)

  /** Replaces all sources. An organisation without sources keeps an empty catalog, because it may keep deployments. */
  serve(sources: OpenedSources): void {
    this.#sources = sources
    for (const org of new Set([...this.#byOrg.keys(), ...sources.keys()])) {
      const orgSources = [...(sources.get(org)?.values() ?? [])]
      const catalog = this.#byOrg.get(org)
      if (catalog === undefined) this.#byOrg.set(org, new Catalog(org, orgSources, this.#options))
      else catalog.serve(orgSources)
    }
  }

  /** Drops what is cached of all repositories. Call it when their limits have changed. */
  forget(): void {
    for (const repository of this.#recent.opened.values()) repository.forget()
    for (const { opened } of this.#byOrg.values()) opened.forget()
  }

  close(): void {
    for (const catalog of this.#byOrg.values()) catalog.close()
  }
}
