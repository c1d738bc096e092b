import { expectationKinds } from '@floe/contract'
import type { DescribeExpectation, ExpectationStateChange } from '@floe/storage/database'
import { describeEvent } from '../events/describe-event.ts'
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
  return describeEvent(name, details, writeWords(change))
}

/** Says of a branch how it meets its expectation, after the name of the branch. */
function writeWords({ name, expectation, state }: ExpectationStateChange): string {
  const { kind, alias, settings } = expectation
  if (name === 'ExpectationMet' && state.verdict !== 'met')
    return `is no longer judged (${expectationKinds[kind].title.toLowerCase()}): ${state.reason}`
  const { words } = findKind(kind)
  const found = { alias, settings, facts: state.facts, reason: state.reason } as Found<typeof kind> // as in `findKind`
  return name === 'ExpectationMet' ? words.met(found) : words.unmet(found)
}
