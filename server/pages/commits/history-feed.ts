// The commits of a ref as a feed.
import type { Slices } from '@floe/storage/waiting'
import { shorten } from '../../text/shorten.ts'
import { feed, type FeedEntry } from '../feed.ts'
import type { PageLinks } from '../page-links.ts'
import type { HistorySelection } from './history-page.ts'

/** A commit of a feed. */
type FeedCommit = {
  readonly id: string
  readonly parentId: string | null
  readonly message: string
  readonly author: string
  readonly writtenAt: Date
}

export type HistoryFeedData = {
  readonly org: string
  readonly repository: string
  readonly ref: string
  /** As the address has it. */
  readonly selection: HistorySelection
  /** Newest first. */
  readonly commits: readonly FeedCommit[]
  /** Id of the last commit if older ones follow; null otherwise. */
  readonly next: string | null
}

/** Longest title of an entry, and longest message, in characters. */
const maxTitle = 200
const maxMessage = 16_384

/** @param links absolute, because feed readers show entries outside of the service */
export async function historyFeed(data: HistoryFeedData, links: PageLinks, slices: Slices): Promise<string> {
  const { org, repository, ref, selection, commits, next } = data
  const { path } = selection
  const entries: FeedEntry[] = []
  for (const commit of commits) {
    if (slices.isOver) await slices.next()
    entries.push(makeEntry(repository, commit, links))
  }
  return feed({
    id: links.history(repository, ref, selection),
    title: `${org}/${repository} ${ref}${path === undefined ? '' : ` ${path}`}`,
    self: links.history(repository, ref, { ...selection, format: 'atom' }),
    next: next === null ? null : links.history(repository, ref, { ...selection, format: 'atom', before: next }),
    entries,
  })
}

function makeEntry(
  repository: string,
  { id, parentId, message, author, writtenAt }: FeedCommit,
  links: PageLinks,
): FeedEntry {
  const [firstLine = ''] = message.trim().split('\n', 1)
  const page = links.ref(repository, id)
  return {
    id: page,
    title: shorten(firstLine.trim(), maxTitle) || `Snapshot ${id}`,
    updated: writtenAt.toISOString(),
    author: shorten(author, maxTitle),
    page: parentId === null ? page : links.diff(repository, parentId, id),
    text: shorten(message, maxMessage),
  }
}
