// The datasets that a search finds as a feed, an entry for each last change.
import { shorten } from '../../text/shorten.ts'
import { feed, type FeedEntry } from '../../pages/feed.ts'
import { writeRemark } from '../../pages/parts/remark-notes.ts'
import type { PageLinks } from '../../pages/page-links.ts'
import type { ExactDataset } from './found-dataset.ts'
import type { ExactAnswer } from './search-page.ts'
import { linkSearchFeed, listConditions, parameterNames, type SearchQuery, without } from './search-query.ts'

export type SearchFeedData = {
  readonly org: string
  readonly query: SearchQuery
  /** The last changes first. */
  readonly answer: Pick<ExactAnswer, 'results' | 'next'>
}

/** Longest title in characters. */
const maxTitle = 200

/** @param links absolute, because feed readers show entries outside of the service */
export function searchFeed({ org, query, answer: { results, next } }: SearchFeedData, links: PageLinks): string {
  const conditions = listConditions(query).map(({ name, values }) => `${parameterNames[name]}: ${values.join(' or ')}`)
  const { href } = linkSearchFeed(query, links)
  return feed({
    id: links.search(without(query)),
    title: shorten([org, ...conditions].join(', '), maxTitle),
    self: href,
    next: next === null ? null : links.search({ ...query, before: next }),
    entries: results.map((dataset) => makeEntry(org, dataset, links)),
  })
}

function makeEntry(
  org: string,
  { repo, branch, group, title, summary, remarks, changed: { at, message } }: ExactDataset,
  links: PageLinks,
): FeedEntry {
  const page = links.dataset(repo, branch, group)
  return {
    // The index knows the last change by its time. A later change is another entry.
    id: `${page}#changed-${at}`,
    title: shorten(`${repo} ${branch} /${group}${title === null ? '' : `: ${title}`}`, maxTitle),
    updated: at,
    author: org,
    page,
    text: [message, ...remarks.map(writeRemark), summary].filter((text) => text !== null && text !== '').join('\n\n'),
  }
}
