// Atom feeds (RFC 4287). Their markup is written like that of pages, which escapes all data.
import { html, type Html } from './html.ts'

/** A feed. Its addresses are absolute, because feed readers show entries outside of the service. */
export type Feed = {
  /** The address of the page that shows the same. */
  readonly id: string
  readonly title: string
  /** The address of the feed. */
  readonly self: string
  /** The address of the feed of older entries; null on the last page. */
  readonly next: string | null
  /** Newest first. */
  readonly entries: readonly FeedEntry[]
}

export type FeedEntry = {
  /** An address that no other entry has, and that stays the same. */
  readonly id: string
  readonly title: string
  /** An instant of ISO 8601. */
  readonly updated: string
  readonly author: string
  /** The page to which the entry leads. */
  readonly page: string
  readonly text: string
}

/** Writes a feed. */
export function feed({ id, title, self, next, entries }: Feed): string {
  const updated = entries.map((one) => Date.parse(one.updated)).reduce((a, b) => Math.max(a, b), 0)
  const markup = html`<feed xmlns="http://www.w3.org/2005/Atom">
    <id>${id}</id>
    <title>${toXml(title)}</title>
    <updated>${new Date(updated).toISOString()}</updated>
    <generator>Floe</generator>
    <link rel="self" type="application/atom+xml" href="${self}" />
    <link rel="alternate" type="text/html" href="${id}" />
    ${next !== null && html`<link rel="next" href="${next}" />`} ${entries.map(feedEntry)}
  </feed>`
  return `<?xml version="1.0" encoding="utf-8"?>\n${markup.toString()}`
}

function feedEntry({ id, title, updated, author, page, text }: FeedEntry): Html {
  return html`<entry>
    <id>${id}</id>
    <title>${toXml(title)}</title>
    <updated>${updated}</updated>
    <author><name>${toXml(author)}</name></author>
    <link rel="alternate" type="text/html" href="${page}" />
    <content type="text">${toXml(text)}</content>
  </entry>`
}

/** Replaces characters that XML 1.0 cannot contain, also as references. */
function toXml(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
