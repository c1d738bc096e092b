// Names the commit that an event is about: who made it, what its message says, and when.
import type { HeadCommit } from '@floe/storage/database'
import { shorten } from '../text/shorten.ts'

/** Longest message and author of a commit in a line, in code points. */
const maxMessageLength = 80
const maxAuthorLength = 60

/** Names a commit after other words: `, by Jan Holm in "Use CF names", 16:16 UTC`. */
export function nameCommit({ message, author, writtenAt }: HeadCommit, now: Date): string {
  const by = author === null ? '' : `by ${nameAuthor(author)}`
  const quoted = quoteMessage(message)
  const made = [by, quoted && `in ${quoted}`].filter((part) => part !== '').join(' ')
  return [made, writeTimeOfDay(writtenAt, now)]
    .filter((part) => part !== '')
    .map((part) => `, ${part}`)
    .join('')
}

/** The first line of a message in quotation marks; empty if there is none. */
export function quoteMessage(message: string): string {
  const [first = ''] = message.trim().split(/[\r\n]/, 1)
  return first === '' ? '' : `"${shorten(first.trim().replaceAll('"', "'"), maxMessageLength)}"`
}

/** `16:16 UTC`, with the date if it is not that of `now`. */
export function writeTimeOfDay(time: Date, now: Date): string {
  const [date = '', clock = ''] = time.toISOString().split('T')
  const isToday = now.toISOString().startsWith(date)
  return `${isToday ? '' : `${date} `}${clock.slice(0, 5)} UTC`
}

/** Without the address after a name: `Jan Holm <jan@example.org>`. */
function nameAuthor(author: string): string {
  return shorten(author.replace(/ <[^<>]*>$/, ''), maxAuthorLength)
}
