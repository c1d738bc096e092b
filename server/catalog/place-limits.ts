import pLimit, { type LimitFunction } from 'p-limit'
import type { CatalogEntry } from './catalog-entries.ts'

/**
 * Bounds how much is done at the same time with the repositories of one organisation in one place, such as below one scanned location.
 * Repositories in other places do not wait for a place that hangs.
 */
export class PlaceLimits {
  readonly #width: number
  readonly #limits = new Map<string, LimitFunction>()

  /** @param width calls under way for one place */
  constructor(width: number) {
    this.#width = width
  }

  /** Returns the limit for the place of a repository. */
  get({
    org,
    repository,
  }: Pick<CatalogEntry, 'org'> & { readonly repository: { readonly location: string } }): LimitFunction {
    const place = JSON.stringify([org, removeLastSegment(repository.location)])
    const limit = this.#limits.get(place) ?? pLimit(this.#width)
    this.#limits.set(place, limit)
    return limit
  }

  /** Drops the calls that have not begun. */
  clear(): void {
    for (const limit of this.#limits.values()) limit.clearQueue()
  }
}

/** `s3://data/acme/weather` lies in `s3://data/acme`; `s3://data` and `/weather` are places themselves. */
function removeLastSegment(location: string): string {
  return location.replace(/(?<=[^/])\/[^/]+\/?$/, '')
}
