// What the crash tests take for a fault among the events of expectations.
import type { FreshnessEvent } from '@floe/contract'
import { t } from 'tap'
import { checkFreshness, type MainMove } from '../../../scripts/crash/freshness.ts'
import type { RecordedEvent } from '../../../scripts/crash/recorded.ts'

const start = Date.UTC(2099, 0, 1)
const minuteMs = 60_000

/** The time so many minutes after the start. */
const at = (minutes: number) => start + minutes * minuteMs
const write = (minutes: number) => new Date(at(minutes)).toISOString()

const repository = { org_name: 'acme', repo_name: 'north', repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11' }

/** An event about a branch whose last commit and due time are so many minutes after the start. */
function freshness(event: FreshnessEvent['event'], last: number, due: number): RecordedEvent {
  const id = '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17'
  const expected = { expectation_id: id, branch: 'main', path: null, max_age: '1m' }
  const details = { ...repository, ...expected, last_commit_at: write(last), stale_since: write(due) }
  return { number: 1, payload: '', notification: { event, details }, changes: null, isLate: false, createdAt: 0 }
}

const created: RecordedEvent = {
  number: 1,
  payload: '',
  notification: {
    event: 'BranchCreated',
    details: { ...repository, branch: 'main', snapshot_id: '1CECHNKREP0F1RSTCMT0', previous_snapshot_id: null },
  },
  changes: null,
  isLate: false,
  createdAt: 0,
}

function check(events: readonly RecordedEvent[], minutes: readonly number[]): string[] {
  const faults: string[] = []
  const moves = minutes.map((minute): MainMove => ({ at: at(minute), pathAt: at(minute) }))
  checkFreshness('north', events, moves, faults)
  return faults.map((fault) => fault.replace(/^north: /, '').replace(/due \S+: /, ''))
}

t.test('a branch that becomes stale and fresh in turn is no fault', async (t) => {
  const events = [
    freshness('RepositoryStale', 0, 1),
    created,
    freshness('RepositoryFresh', 5, 1),
    freshness('RepositoryStale', 5, 6),
  ]
  t.strictSame(check(events, [0, 5]), [])
})

t.test('what is told twice, without reason, too early or not at the end is a fault', async (t) => {
  const stale = freshness('RepositoryStale', 0, 1)
  t.strictSame(check([stale, stale], [0]), ['RepositoryStale of main, is not the opposite'])
  t.strictSame(check([stale, freshness('RepositoryFresh', 5, 1)], [0, 5]), [
    'RepositoryFresh of main, follows no change of the branch',
    'main is not stale at the end',
  ])
  t.strictSame(check([freshness('RepositoryFresh', 0, 1)], [0]).slice(0, 2), [
    'RepositoryFresh of main, is not the opposite',
    'RepositoryFresh of main, ends another time',
  ])
  t.strictSame(check([stale], [0, 0.5]), [`RepositoryStale of main, does not know the commit at ${write(0.5)}`])
})
