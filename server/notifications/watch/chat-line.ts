import type { NotificationCommit } from '@floe/contract'
import { firstCodePoints } from './first-code-points.ts'

/** Longest line, in code points. */
const maxLength = 2_000

/** Runs of tabs and of what breaks a line, which become one space. */
const breaks = /[\t-\r\u0085\u2028\u2029]+/g

/** Controls, and what changes the direction of text. */
const invisible = /[\p{Cc}\p{Bidi_Control}]/gu

/** The line of plain text that tells chats of a new head, whatever the commit message holds. */
export function chatLine(
  { org, name }: { readonly org: string; readonly name: string },
  head: NotificationCommit,
): string {
  const text = `${org}/${name} branch main is now at ${head.snapshot_id}: ${head.commit_message}`
  return firstCodePoints(text.replace(breaks, ' ').replace(invisible, '').toWellFormed(), maxLength)
}
