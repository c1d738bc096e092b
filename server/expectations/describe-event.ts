// Describes an event about an expectation: the payload for webhooks and the line of text for chats.
import { expectationKinds, SentExpectationEvent } from '@floe/contract'
import type { DescribeExpectation, ExpectationStateChange } from '@floe/storage/database'
import { cutLine } from '../text/cut-line.ts'
import type { Found } from './kind.ts'
import { findKind } from './kinds.ts'

/** Writes the texts of an event about an expectation. */
export const describeExpectation: DescribeExpectation = (change) => {
  const { name, repository, expectation, branch, since, state } = change
  const { id, alias, kind, within, settings } = expectation
  const details = {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    expectation_id: id,
    expectation_alias: alias,
    branch,
    since: since.toISOString(),
    // Empty while there is no head.
    snapshot_id: state.headId || null,
    reason: state.reason,
    ...settings,
    kind,
    within,
    facts: state.facts,
  }
  const payload = JSON.stringify(SentExpectationEvent.parse({ event: name, details }))
  return { payload, line: cutLine(writeLine(change)) }
}

function writeLine({ name, repository, expectation, branch, state }: ExpectationStateChange): string {
  const { kind, alias, settings } = expectation
  const path = typeof settings['path'] === 'string' ? ` (${settings['path']})` : ''
  const subject = `${repository.org}/${repository.name} branch ${branch}${path}`
  if (name === 'ExpectationMet' && state.verdict !== 'met')
    return `${subject} is no longer judged (${expectationKinds[kind].title.toLowerCase()}): ${state.reason}`
  const { words } = findKind(kind)
  const found = { alias, settings, facts: state.facts, reason: state.reason } as Found<typeof kind> // as in `findKind`
  return `${subject} ${name === 'ExpectationMet' ? words.met(found) : words.unmet(found)}`
}
