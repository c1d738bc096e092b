// Writes what a digest says: what is told, one line each, then a line for each repository in which the rest happened.
import type { CountedEvent, DescribeDigest, CountedEvents } from '@floe/storage/database'
import { writeTime } from '../../events/event-lines.ts'
import type { LinkEvent } from '../../events/link-event.ts'
import { shorten } from '../../text/shorten.ts'
import type { ChatLine } from './chat-services.ts'

/** Maximum number of characters of a line, so that a message has room for many. */
const maxLineLength = 300

/** One event of each name, and several. */
const words: Readonly<Record<CountedEvent, readonly [string, string]>> = {
  NewCommit: ['commit', 'commits'],
  BranchCreated: ['new branch', 'new branches'],
  BranchDeleted: ['deleted branch', 'deleted branches'],
  TagCreated: ['new tag', 'new tags'],
  TagDeleted: ['deleted tag', 'deleted tags'],
}

/** Makes the function that writes digests as JSON, which {@link readDigest} reads. */
export function makeDescribeDigest(linkEvent: LinkEvent = () => undefined): DescribeDigest {
  return ({ org, total, since, told, repositories }) => {
    const [first] = [...told, ...repositories.map(({ last }) => last)]
    const lines: readonly ChatLine[] = [
      {
        text: `${org}: ${total} events since ${writeTime(since.toISOString())}`,
        link: first && linkEvent(first.payload, 'home'),
      },
      ...told.map(({ line, payload }) => ({ text: line, link: linkEvent(payload) })),
      ...repositories.map((counted) => describeRepository(org, counted, linkEvent)),
    ]
    return JSON.stringify(lines.map(({ text, link }) => ({ text: shorten(text, maxLineLength), link })))
  }
}

export function readDigest(digest: string): readonly ChatLine[] {
  return JSON.parse(digest) as ChatLine[] // `makeDescribeDigest` wrote it
}

function describeRepository(
  org: string,
  { repo, counts, events, last }: CountedEvents,
  linkEvent: LinkEvent,
): ChatLine {
  if (events === 1) return { text: last.line, link: linkEvent(last.payload) }
  // Its members are those of the counts.
  const names = Object.keys(words) as CountedEvent[]
  const parts = names.flatMap((name) => {
    const count = counts[name] ?? 0
    const [one, many] = words[name]
    return count === 0 ? [] : `${count} ${count === 1 ? one : many}`
  })
  return { text: `${org}/${repo}: ${parts.join(', ')}`, link: linkEvent(last.payload, 'repository') }
}
