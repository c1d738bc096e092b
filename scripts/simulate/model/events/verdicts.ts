// What was told about what commits change for readers.
import type { NewCommit, StateVerdict } from '@floe/contract'
import { describe, numbers } from '../../../history/commits.ts'
import type { RecordedEvent } from '../../../history/recorded-events.ts'

/** Reasons of slow and failing reads. */
const passing: ReadonlySet<unknown> = new Set(['timeout', 'unreadable'])

function judge(from: number, to: number): StateVerdict {
  const [before, after] = [describe(from), describe(to)]
  if (before.type !== after.type) return 'breaking'
  return before.run === after.run ? 'identical' : 'compatible'
}

/**
 * Adds a fault for each head move whose verdict does not follow it once, and for each other verdict.
 *
 * @param mayBeUnknown whether the verdict of an event may be unknown, because its repository was not read in time
 */
export function checkVerdicts(
  repository: string,
  events: readonly RecordedEvent[],
  faults: string[],
  mayBeUnknown: (event: RecordedEvent) => boolean,
): void {
  const find = (id: string | null) => numbers.get(id ?? '') ?? Number.NaN
  for (const [index, recorded] of events.entries()) {
    const { event, details } = recorded.notification
    const fault = (what: string) => faults.push(`${repository}: ${event} ${JSON.stringify(details)}: ${what}`)
    if (event === 'NewCommit') {
      const expected = expectVerdict(details, find)
      const next = events[index + 1]?.notification
      if (expected !== 'identical' && next?.event !== 'SchemaChanged') fault(`is not followed by ${expected}`)
    }
    if (event !== 'SchemaChanged') continue
    const before = events[index - 1]?.notification
    if (before?.event !== 'NewCommit' || !isSameMove(before.details, details)) fault('does not follow its NewCommit')
    else if (details.verdict !== expectVerdict(before.details, find)) {
      const isExcused = passing.has(details.not_compared_reason) && mayBeUnknown(recorded)
      if (!isExcused) fault('has another verdict')
    }
  }
}

/** The verdict of a move; a first head has none. */
function expectVerdict(details: NewCommit['details'], find: (id: string) => number): StateVerdict {
  const { previous_snapshot_id: previous, snapshot_id: head } = details
  return previous === null ? 'identical' : judge(find(previous), find(head))
}

type Move = Pick<NewCommit['details'], 'branch' | 'snapshot_id' | 'previous_snapshot_id'>

function isSameMove(left: Move, right: Move): boolean {
  return (['branch', 'snapshot_id', 'previous_snapshot_id'] as const).every((name) => left[name] === right[name])
}
