import type { NewCommitDetails } from '@floe/contract'
import { firstCodePoints } from './first-code-points.ts'

/** Longest line, in code points. */
const maxLength = 2_000

/** Runs of tabs and of what breaks a line, which become one space. */
const breaks = /[\t-\r\u0085\u2028\u2029]+/g

/** Controls, and what changes the direction of text. */
const invisible = /[\p{Cc}\p{Bidi_Control}]/gu

/** The members of a notification that the line repeats. */
type LineFacts = Pick<NewCommitDetails, 'org_name' | 'repo_name' | 'branch' | 'snapshot_id' | 'commit_message'>

/** The line of plain text that tells chats of a new head, whatever the commit message holds. */
export function chatLine({ org_name, repo_name, branch, snapshot_id, commit_message }: LineFacts): string {
  const text = `${org_name}/${repo_name} branch ${branch} is now at ${snapshot_id}: ${commit_message}`
  return firstCodePoints(text.replace(breaks, ' ').replace(invisible, '').toWellFormed(), maxLength)
}
