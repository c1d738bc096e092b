import { Catalog, type CatalogOptions } from './catalog.ts'
import type { CatalogSource } from './source-scan.ts'

/** The catalogs of all organisations. They change when the configuration is read again. */
export class Catalogs {
  readonly #makeOptions: (org: string) => CatalogOptions
  readonly #byOrg = new Map<string, Catalog>()

  /** @param makeOptions returns what the catalog of an organisation works with */
  constructor(makeOptions: (org: string) => CatalogOptions) {
    this.#makeOptions = makeOptions
  }

  get byOrg(): ReadonlyMap<string, Catalog> {
    return this.#byOrg
  }

  /** Serves these sources from now on. An organisation that has none any more keeps an empty catalog, since its deployments may remain. */
  serve(sources: ReadonlyMap<string, readonly CatalogSource[]>): void {
    for (const [org, catalog] of this.#byOrg) catalog.serve(sources.get(org) ?? [])
    for (const [org, places] of sources) {
      if (!this.#byOrg.has(org)) this.#byOrg.set(org, new Catalog(org, places, this.#makeOptions(org)))
    }
  }

  forget(): void {
    for (const catalog of this.#byOrg.values()) catalog.forget()
  }

  close(): void {
    for (const catalog of this.#byOrg.values()) catalog.close()
  }
}
