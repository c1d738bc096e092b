import { Catalog, type CatalogOptions } from './catalog.ts'
import type { CatalogSource } from './source-scan.ts'

/** The catalogs of all organisations. They change when the configuration is reloaded. */
export class Catalogs {
  readonly #makeOptions: (org: string) => CatalogOptions
  readonly #byOrg = new Map<string, Catalog>()

  constructor(makeOptions: (org: string) => CatalogOptions) {
    this.#makeOptions = makeOptions
  }

  get byOrg(): ReadonlyMap<string, Catalog> {
    return this.#byOrg
  }

  /** Replaces all sources. An organisation without sources keeps an empty catalog, because its deployments may remain. */
  serve(sources: ReadonlyMap<string, readonly CatalogSource[]>): void {
    for (const [org, catalog] of this.#byOrg) catalog.serve(sources.get(org) ?? [])
    for (const [org, ofOrg] of sources) {
      if (!this.#byOrg.has(org)) this.#byOrg.set(org, new Catalog(org, ofOrg, this.#makeOptions(org)))
    }
  }

  forget(): void {
    for (const catalog of this.#byOrg.values()) catalog.forget()
  }

  close(): void {
    for (const catalog of this.#byOrg.values()) catalog.close()
  }
}
