// Describes an event about written chunks: the payload for webhooks and the line of text for chats.
import { SentCompletenessEvent } from '@floe/contract'
import type { CompletenessChange, EventTexts } from '@floe/storage/database'
import { cutLine } from '../head-move.ts'

/** Maximum number of arrays in a line for chats. */
const maxLineArrays = 3

/** Writes the texts of an event about written chunks. */
export function describeCompleteness(change: CompletenessChange): EventTexts {
  const { name, repository, expectation, incompleteSince, findings } = change
  const details = {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    expectation_id: expectation.id,
    branch: expectation.branch,
    path: expectation.path,
    written: expectation.written,
    snapshot_id: findings.headId,
    arrays: findings.arrays,
    incomplete_arrays: findings.incompleteArrays,
    incomplete_since: incompleteSince.toISOString(),
  }
  const payload = JSON.stringify(SentCompletenessEvent.parse({ event: name, details }))
  return { payload, line: cutLine(writeLine(change)) }
}

function writeLine({ name, repository, expectation, findings }: CompletenessChange): string {
  const { branch, path, written } = expectation
  const subject = `${repository.org}/${repository.name} branch ${branch}${path === null ? '' : ` (${path})`}`
  if (name === 'DatasetComplete') return `${subject} is complete again`
  const shown = findings.arrays.slice(0, maxLineArrays)
  const left = findings.incompleteArrays - shown.length
  const words = shown.map(
    (array) => `${array.path} has ${array.chunks.written} of ${array.chunks.total} chunks written`,
  )
  if (left > 0) words.push(`and ${left} more`)
  return `${subject} is incomplete: ${words.join('; ')}, expected ${written}`
}
