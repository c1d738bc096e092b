import { t } from 'tap'
import { showPayload } from '../../../../../storage/records/database/events/show-payload.ts'

const headMove = '{"event":"NewCommit","details":{"branch":"main"}}'
const created = '{"event":"BranchCreated","details":{"branch":"dev"}}'
const asking = { include_changes: true } as const

// Proves: `details.changes` is null if it is unknown what changed
t.test('a receiver that asks gets what a head move changed, and null if that is unknown', async (t) => {
  t.equal(
    showPayload({ payload: headMove, changes: '{"created":["a"]}' }, asking),
    '{"event":"NewCommit","details":{"branch":"main","changes":{"created":["a"]}}}',
  )
  // The first head of a branch, and one that was recorded before anybody asked.
  t.equal(
    showPayload({ payload: headMove, changes: null }, asking),
    '{"event":"NewCommit","details":{"branch":"main","changes":null}}',
  )
})

// Proves: `details.changes` is absent unless the webhook sets `include_changes`
t.test('other receivers and other events get the recorded bytes', async (t) => {
  t.equal(showPayload({ payload: headMove, changes: '{"created":["a"]}' }, { include_changes: false }), headMove)
  t.equal(showPayload({ payload: created, changes: null }, asking), created)
})
