// Describes an event about written chunks: the payload for webhooks and the line of text for chats.
import { SentCompletenessEvent } from '@floe/contract'
import type { CompletenessChange, EventTexts } from '@floe/storage/database'
import { listFirst } from '../../../text/list-first.ts'
import { cutLine, nameExpected } from '../../event-line.ts'

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
  const { written } = expectation
  const subject = nameExpected(repository, expectation)
  if (name === 'DatasetComplete') return `${subject} is complete again`
  const arrays = findings.arrays.map(
    ({ path, chunks }) => `${path} has ${chunks.written} of ${chunks.total} chunks written`,
  )
  const words = listFirst(arrays, maxLineArrays, findings.incompleteArrays)
  return `${subject} is incomplete: ${words.join('; ')}, expected ${written}`
}
