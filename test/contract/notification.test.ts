import { NewCommit } from '@floe/contract'
import t from 'tap'

const commit = {
  snapshot_id: 'P874YS3J196959RDHX7G',
  commit_message: 'Add the 12 UTC run',
  author: 'unknown',
  committed_at: '2026-11-21T12:00:00.123Z',
}
const head = {
  org: 'acme',
  repo_name: 'weather',
  repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
  branch: 'main',
  sequence: 2,
  ...commit,
}
const previous = '1CECHNKREP0F1RSTCMT0'

function accepts(details: object): boolean {
  return NewCommit.safeParse({ event: 'NewCommit', details: { ...head, ...details } }).success
}

t.test('commits are null exactly when a reason is given', async (t) => {
  t.ok(accepts({ previous_snapshot_id: previous, commits: [commit], commits_unavailable_reason: null }))
  for (const reason of ['repo_format_v1', 'history_rewritten', 'too_many_commits']) {
    t.ok(accepts({ previous_snapshot_id: previous, commits: null, commits_unavailable_reason: reason }), reason)
    t.notOk(accepts({ previous_snapshot_id: previous, commits: [commit], commits_unavailable_reason: reason }), reason)
  }
  t.notOk(accepts({ previous_snapshot_id: previous, commits: null, commits_unavailable_reason: null }))
  t.notOk(accepts({ previous_snapshot_id: previous, commits: [], commits_unavailable_reason: null }))
})

t.test('only a first observation has no previous head', async (t) => {
  t.ok(accepts({ previous_snapshot_id: null, commits: null, commits_unavailable_reason: 'first_observation' }))
  t.notOk(accepts({ previous_snapshot_id: previous, commits: null, commits_unavailable_reason: 'first_observation' }))
  t.notOk(accepts({ previous_snapshot_id: null, commits: null, commits_unavailable_reason: 'history_rewritten' }))
  t.notOk(accepts({ previous_snapshot_id: null, commits: [commit], commits_unavailable_reason: null }))
})

t.test('no field may be missing, unknown or malformed', async (t) => {
  const good = { previous_snapshot_id: previous, commits: [commit], commits_unavailable_reason: null }
  t.notOk(accepts({ ...good, extra: 1 }))
  t.notOk(accepts({ ...good, branch: 'dev' }))
  t.notOk(accepts({ ...good, sequence: 0 }))
  t.notOk(accepts({ ...good, snapshot_id: 'p874ys3j196959rdhx7g' }))
  t.notOk(accepts({ ...good, committed_at: '2026-11-21T12:00:00+01:00' }))
  t.notOk(NewCommit.safeParse({ event: 'Other', details: { ...head, ...good } }).success)
})
