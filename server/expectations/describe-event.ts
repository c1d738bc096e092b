import { expectationKinds } from '@floe/contract'
import type { DescribeExpectation, ExpectationStateChange } from '@floe/storage/database'
import { describeEvent } from '../events/describe-event.ts'
import type { LineWords } from '../events/event-lines.ts'
import type { Told } from './kind.ts'
import { findKind } from './kinds.ts'

/** Writes the texts of an event about an expectation. */
export const describeExpectation: DescribeExpectation = (change, now) => {
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
  return describeEvent(name, details, writeWords(change, now))
}

/** Says how a branch meets its expectation. */
function writeWords({ name, expectation, state, commit }: ExpectationStateChange, now: Date): LineWords {
  const { kind, alias, settings } = expectation
  const named = alias === null ? '' : ` ${alias}`
  if (name === 'ExpectationMet' && state.verdict !== 'met') {
    const title = expectationKinds[kind].title.toLowerCase()
    return { headline: `NO LONGER JUDGED${named}`, words: `${state.reason} (${title})` }
  }
  const { facts, reason } = state
  const { words: writers } = findKind(kind)
  const told = { alias, settings, facts, reason, commit, now } as Told<typeof kind> // as in `findKind`
  const [headline, words] = name === 'ExpectationMet' ? writers.met(told) : writers.unmet(told)
  return { headline: headline + named, words }
}
