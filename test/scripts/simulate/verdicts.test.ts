// What the simulation takes for a fault among the verdicts of head moves.
import type { SchemaChangedDetails } from '@floe/contract'
import { t } from 'tap'
import type { RecordedEvent } from '../../../scripts/history/recorded-events.ts'
import { checkVerdicts } from '../../../scripts/simulate/model/events/verdicts.ts'
import { buildId } from '../../storage/repositories/icechunk/build-object.ts'

const repository = { org_name: 'acme', repo_name: 'north', repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11' }

function commit(from: number, to: number): RecordedEvent {
  const head = { snapshot_id: buildId(to), parent_snapshot_id: null, previous_snapshot_id: buildId(from) }
  const facts = { commit_message: '', written_at: '2099-01-01T00:00:00.000Z', author_id: 'unknown' }
  const commits = { commits: null, commits_unavailable_reason: 'too_many_commits' } as const
  const details = { ...repository, branch: 'main', ...head, ...facts, ...commits }
  return {
    number: 1,
    ref: '',
    payload: '',
    line: '',
    notification: { event: 'NewCommit', details },
    changes: null,
    isLate: false,
    createdAt: 0,
  }
}

function judge(from: number, to: number, verdict: SchemaChangedDetails['verdict'], isLate = false): RecordedEvent {
  const head = { snapshot_id: buildId(to), parent_snapshot_id: null, previous_snapshot_id: buildId(from) }
  const rest = { verdict, changes: [], counts: null, not_compared_reason: isLate ? ('timeout' as const) : null }
  const details = { ...repository, branch: 'main', ...head, ...rest }
  return {
    number: 1,
    ref: '',
    payload: '',
    line: '',
    notification: { event: 'SchemaChanged', details },
    changes: null,
    isLate,
    createdAt: 0,
  }
}

/** Lists the faults that the simulation finds in these events. If `isCalm`, it excuses no unknown verdict. */
function check(events: readonly RecordedEvent[], isCalm = true): readonly string[] {
  const faults: string[] = []
  checkVerdicts('north', events, faults, () => !isCalm)
  return faults.map((fault) => fault.slice(fault.lastIndexOf(': ') + 2))
}

t.test('each move has its verdict once, after its commit', async (t) => {
  // The array gets another type with every third commit, the group `c` another attribute with every fourth.
  const right = [commit(4, 6), judge(4, 6, 'breaking'), commit(6, 7), judge(6, 7, 'compatible'), commit(7, 8)]
  t.strictSame(check(right), [])
  const unknown = [commit(4, 6), judge(4, 6, 'unknown', true)]
  t.strictSame(check(unknown, false), [])
  t.strictSame(check(unknown), ['has another verdict'])
  t.strictSame(check([commit(4, 6)]), ['is not followed by breaking'])
  t.strictSame(check([commit(4, 6), judge(4, 6, 'compatible')]), ['has another verdict'])
  const doubled = [commit(4, 6), judge(4, 6, 'breaking'), judge(4, 6, 'breaking')]
  t.strictSame(check(doubled), ['does not follow its NewCommit'])
  t.strictSame(check([commit(4, 6), judge(5, 6, 'breaking')]), ['does not follow its NewCommit'])
})
