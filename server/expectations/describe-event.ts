import { expectationKinds } from '@floe/contract'
import type { DescribeExpectation, EventTexts, ExpectationStateChange, GoodMove } from '@floe/storage/database'
import { describeEvent } from '../events/describe-event.ts'
import type { LineWords } from '../events/event-lines.ts'
import { writeTimeOfDay } from '../events/name-commit.ts'
import type { Told } from './kind.ts'
import { findKind } from './kinds.ts'

/** Writes the texts of an event about an expectation. */
export const describeExpectation: DescribeExpectation = (change, now) => {
  if (change.name === 'GoodMoved') return describeGoodMove(change)
  const { name, repository, expectation, branch, since, isReminder, state } = change
  const { id, alias, kind, severity, within, remind, settings } = expectation
  const details = {
    expectation_id: id,
    expectation_alias: alias,
    branch,
    since: since.toISOString(),
    reminder: isReminder,
    // Empty while there is no head.
    snapshot_id: state.headId || null,
    reason: state.reason,
    ...settings,
    kind,
    severity,
    within,
    remind,
    facts: state.facts,
  }
  return describeEvent(name, repository, details, writeWords(change, now))
}

function describeGoodMove({ name, repository, expectation, branch, from, to, behind, reason }: GoodMove): EventTexts {
  return describeEvent(name, repository, {
    expectation_id: expectation.id,
    expectation_alias: expectation.alias,
    branch,
    snapshot_id: to,
    previous_snapshot_id: from,
    behind,
    reason,
  })
}

/** Says how a branch meets its expectation. */
function writeWords(change: ExpectationStateChange, now: Date): LineWords {
  const { name, expectation, since, isReminder, state, commit } = change
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
  if (!isReminder) return { headline: headline + named, words }
  return { headline: `STILL ${headline}${named}`, words: `${words}; unmet since ${writeTimeOfDay(since, now)}` }
}
