import { NewCommit, SentNewCommit } from '@floe/contract'
import { t } from 'tap'
import { notification } from './notifications.ts'

const { details: sample } = notification
const commits = sample.commits
const previous = '1CECHNKREP0F1RSTCMT0'

function parse(details: object) {
  return NewCommit.safeParse({ event: 'NewCommit', details: { ...sample, ...details } })
}

function accepts(details: object): boolean {
  return parse(details).success
}

// Proves: `commits` is null exactly when `commits_unavailable_reason` is not
t.test('commits are null exactly when a reason is given', async (t) => {
  t.ok(accepts({ previous_snapshot_id: previous, commits, commits_unavailable_reason: null }))
  for (const reason of ['repo_format_v1', 'history_rewritten', 'too_many_commits']) {
    t.ok(accepts({ previous_snapshot_id: previous, commits: null, commits_unavailable_reason: reason }), reason)
    t.notOk(accepts({ previous_snapshot_id: previous, commits, commits_unavailable_reason: reason }), reason)
  }
  t.notOk(accepts({ previous_snapshot_id: previous, commits: null, commits_unavailable_reason: null }))
  t.notOk(accepts({ previous_snapshot_id: previous, commits: [], commits_unavailable_reason: null }))
})

t.test('only a first observation has no previous head', async (t) => {
  t.ok(accepts({ previous_snapshot_id: null, commits: null, commits_unavailable_reason: 'first_observation' }))
  t.notOk(accepts({ previous_snapshot_id: previous, commits: null, commits_unavailable_reason: 'first_observation' }))
  t.notOk(accepts({ previous_snapshot_id: null, commits: null, commits_unavailable_reason: 'history_rewritten' }))
  t.notOk(accepts({ previous_snapshot_id: null, commits, commits_unavailable_reason: null }))
})

t.test('an invalid combination is reported at the member that does not fit', async (t) => {
  const placesOf = (details: object) => parse(details).error?.issues.map(({ path }) => path.join('.'))
  t.strictSame(placesOf({ commits: null }), ['details.commits_unavailable_reason'])
  t.strictSame(placesOf({ commits_unavailable_reason: 'too_many_commits' }), ['details.commits'])
  t.strictSame(placesOf({ previous_snapshot_id: null }), ['details.previous_snapshot_id'])
})

t.test('no member may be missing or malformed', async (t) => {
  for (const member of Object.keys(sample)) t.notOk(accepts({ [member]: undefined }), member)
  t.ok(accepts({ branch: 'dev' }))
  t.ok(accepts({ parent_snapshot_id: null }))
  t.notOk(accepts({ branch: '' }))
  t.notOk(accepts({ snapshot_id: 'p874ys3j196959rdhx7g' }))
  t.notOk(accepts({ written_at: '2026-11-21T12:00:00+01:00' }))
  t.notOk(accepts({ written_at: '2026-11-21T12:00:00Z' }))
  t.notOk(NewCommit.safeParse({ ...notification, event: 'Other' }).success)
})

// Proves: the service sends no other members
t.test('receivers accept unknown members, and the service sends none', async (t) => {
  const [commit] = commits ?? []
  for (const grown of [
    { ...notification, version: 2 },
    { ...notification, details: { ...sample, tags: [] } },
    { ...notification, details: { ...sample, commits: [{ ...commit, size: 7 }] } },
  ]) {
    t.strictSame(NewCommit.parse(grown), grown)
    t.equal(SentNewCommit.safeParse(grown).success, false)
  }
  t.strictSame(SentNewCommit.parse(notification), notification)
})
