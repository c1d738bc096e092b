// The commits of a ref as an Atom feed (RFC 4287). Markup of the feed is written like that of pages, which escapes all
// data.
import type { Slices } from '@floe/storage/waiting'
import { shorten } from '../../shorten.ts'
import { html, type Html } from '../html.ts'
import type { PageLinks } from '../page-links.ts'

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
  /** The pattern of paths that the commits changed; undefined for all commits. */
  readonly path?: string | undefined
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
  const { org, repository, ref, path, commits, next } = data
  const address = links.history(repository, ref, { path })
  const entries: Html[] = []
  for (const commit of commits) {
    if (slices.isOver) await slices.next()
    entries.push(entry(repository, commit, links))
  }
  const updated = commits.map(({ writtenAt }) => writtenAt.getTime()).reduce((a, b) => Math.max(a, b), 0)
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom">
    <id>${address}</id>
    <title>${toXml([`${org}/${repository} ${ref}`, path ?? []].flat().join(' '))}</title>
    <updated>${new Date(updated).toISOString()}</updated>
    <generator>Floe</generator>
    <link rel="self" type="application/atom+xml" href="${links.history(repository, ref, { path, format: 'atom' })}" />
    <link rel="alternate" type="text/html" href="${address}" />
    ${
      next !== null &&
      html`<link rel="next" href="${links.history(repository, ref, { path, format: 'atom', before: next })}" />`
    }
    ${entries}
  </feed>`
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.toString()}`
}

function entry(repository: string, { id, parentId, message, author, writtenAt }: FeedCommit, links: PageLinks): Html {
  const [firstLine = ''] = message.trim().split('\n', 1)
  const page = links.ref(repository, id)
  return html`<entry>
    <id>${page}</id>
    <title>${toXml(shorten(firstLine.trim(), maxTitle)) || `Snapshot ${id}`}</title>
    <updated>${writtenAt.toISOString()}</updated>
    <author><name>${toXml(shorten(author, maxTitle))}</name></author>
    <link rel="alternate" type="text/html" href="${parentId === null ? page : links.diff(repository, parentId, id)}" />
    <content type="text">${toXml(shorten(message, maxMessage))}</content>
  </entry>`
}

/** Replaces characters that XML 1.0 cannot contain, also as references. */
function toXml(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
