// Describes an event about an expectation: the payload for webhooks and the line of text for chats.
import { SentFreshnessEvent } from '@floe/contract'
import type { EventTexts, FreshnessChange } from '@floe/storage/database'
import { cutLine, nameExpected } from '../../event-line.ts'

/** Writes the texts of an event about an expectation. */
export function describeFreshness(change: FreshnessChange): EventTexts {
  const { name, repository, expectation, lastCommitAt, staleSince } = change
  const details = {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    expectation_id: expectation.id,
    branch: expectation.branch,
    path: expectation.path,
    max_age: expectation.maxAge,
    last_commit_at: lastCommitAt?.toISOString() ?? null,
    stale_since: staleSince.toISOString(),
  }
  const payload = JSON.stringify(SentFreshnessEvent.parse({ event: name, details }))
  return { payload, line: cutLine(writeLine(change)) }
}

function writeLine({ name, repository, expectation, lastCommitAt }: FreshnessChange): string {
  const subject = nameExpected(repository, expectation)
  const last = lastCommitAt === null ? 'no commit seen' : `last commit at ${lastCommitAt.toISOString()}`
  const state = name === 'RepositoryStale' ? 'is stale' : 'is up to date again'
  return `${subject} ${state}: ${last}, expected every ${expectation.maxAge}`
}
