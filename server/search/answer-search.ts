// Answers a search with the bytes of a body. Runs in a search thread, or beside a database in memory.
import type { SearchAnswer } from '@floe/contract'
import type { Database } from '@floe/storage/database'
import { type Cancellation, writeBody } from '@floe/storage/json'
import { encodePage } from '../pages/page.ts'
import { buildPageLinks } from '../pages/page-links.ts'
import type { ShownDeployment } from '../pages/page-subject.ts'
import { searchFeed } from './page/search-feed.ts'
import { searchPage } from './page/search-page.ts'
import type { SearchQuery } from './page/search-query.ts'
import { findDatasets, type Search } from './find/find-datasets.ts'

/** A search, and what its answer looks like. Plain data, so that a thread can receive it. */
export type SearchTask = {
  readonly search: Search
  /** In milliseconds since 1970. */
  readonly now: number
  /**
   * For the addresses of datasets: path of the API, and of stylesheets and scripts, without trailing slashes. A feed
   * has the public address of the API instead of its path, because readers show entries outside of the service.
   */
  readonly address: {
    readonly v1: string
    readonly deployment: string
    readonly org: string
    readonly assetsRoot: string
  }
  /** Pages and feeds show the query. */
  readonly form:
    | { readonly format: 'json' }
    | { readonly format: 'html'; readonly deployment: ShownDeployment; readonly query: SearchQuery }
    | { readonly format: 'atom'; readonly query: SearchQuery }
}

/** Answers a search with JSON, a page or a feed. Throws what the cancellation throws. */
export async function answerSearch(
  db: Database,
  { search, now, address, form }: SearchTask,
  cancellation: Cancellation,
): Promise<Buffer<ArrayBuffer>> {
  const links = buildPageLinks(address.v1, address.deployment, address.org, address.assetsRoot)
  const answer = await findDatasets(db, search, { address: links.dataset, now, cancellation })
  if (form.format === 'html') return encodePage(searchPage({ ...form, answer }, links))
  if (form.format === 'atom') return encodePage(searchFeed({ org: address.org, query: form.query, answer }, links))
  return writeBody<SearchAnswer>(answer)
}

/** A search for a thread, and the database that it opens for it. */
export type IndexTask = {
  readonly kind: 'search'
  /** URL of the database. It is not in memory. */
  readonly database: string
  readonly asked: SearchTask
}
