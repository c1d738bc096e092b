// Compares the index with the repositories that the configuration serves now.
import { type Database, listIndexedRepositories, removeFromIndex, returnToIndex } from '@floe/storage/database'
import type { Catalog } from '../../catalog/catalog.ts'

type ReviewedCatalog = Pick<Catalog, 'follow' | 'has' | 'getKnownNames'>

/** The review of one organisation. */
type Review = {
  /** Names that were added or removed since the last review. */
  readonly changed: Set<string>
  /** Ends with the last review; the next one follows it. */
  last: Promise<void>
  /** Whether all names were compared once. */
  isComplete: boolean
}

/** Removes repositories that are gone from the index, and makes those that are back due for indexing. */
export class IndexReview {
  readonly #db: Database
  readonly #catalogs: ReadonlyMap<string, ReviewedCatalog>
  readonly #reviews = new Map<string, Review>()

  /** @param catalogs by organisation */
  constructor(db: Database, catalogs: ReadonlyMap<string, ReviewedCatalog>) {
    this.#db = db
    this.#catalogs = catalogs
  }

  /** Reviews all organisations. */
  async reviewAll(): Promise<void> {
    for (const org of this.#catalogs.keys()) await this.review(org)
  }

  /** Reviews an organisation if its names are known, and have changed since its last review. */
  async review(org: string): Promise<void> {
    const catalog = this.#catalogs.get(org)
    if (catalog?.getKnownNames() === undefined) return
    const review = this.#reviews.get(org) ?? {
      changed: catalog.follow(() => {}),
      last: Promise.resolve(),
      isComplete: false,
    }
    this.#reviews.set(org, review)
    if (!review.isComplete || review.changed.size > 0)
      review.last = review.last.catch(() => {}).then(() => this.#compare(org, catalog, review))
    return review.last
  }

  async #compare(org: string, catalog: ReviewedCatalog, review: Review): Promise<void> {
    const changed = [...review.changed]
    if (review.isComplete && changed.length === 0) return
    review.changed.clear()
    try {
      const indexed = await listIndexedRepositories(this.#db, org, review.isComplete ? changed : null)
      const gone = [...indexed].filter(([name, { isGone }]) => !isGone && !catalog.has(name))
      const back = [...indexed].filter(([name, { isGone }]) => isGone && catalog.has(name))
      if (gone.length > 0)
        await removeFromIndex(
          this.#db,
          gone.map(([, { id }]) => id),
        )
      if (back.length > 0)
        await returnToIndex(
          this.#db,
          back.map(([, { id }]) => id),
        )
      review.isComplete = true
    } catch (error) {
      for (const name of changed) review.changed.add(name)
      throw error
    }
  }
}
