import { SentSchemaChanged } from '@floe/contract'
import { t } from 'tap'
import { describeSchemaChange } from '../../../../../server/notifications/watch/checks/changes/describe-schema-change.ts'
import { buildId } from '../../../../storage/repositories/icechunk/build-object.ts'

const repository = { org: 'acme', name: 'weather', id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11' }
const move = {
  repository,
  branch: 'main',
  snapshotId: buildId(2),
  parentId: null,
  previous: { snapshotId: buildId(1) },
  commit: { message: 'Use CF names', author: 'Jan Holm', writtenAt: new Date('2026-11-21T16:16:00Z') },
}
const now = new Date('2026-11-21T16:17:00Z')
const by = 'by Jan Holm in "Use CF names", 16:16 UTC'
const counts = { breaking: 1, unknown: 0, compatible: 0, not_compared: 0 }

t.test('a line has no line breaks or control characters, and ends with the commit however long it is', async (t) => {
  const describe = (words: string) =>
    describeSchemaChange(move, { verdict: 'breaking', words, changes: '[]', counts }, now).line
  t.equal(describe('a\r\nb\u0000\u202e is gone'), `BREAKING CHANGE: acme/weather main: a b is gone, ${by}`)
  const long = describe('x'.repeat(9_000))
  t.ok(long.length < 2_000)
  t.ok(long.endsWith(`x…, ${by}`))
})

t.test('a move without a comparison is unknown, and both texts say why', async (t) => {
  const { payload, line, verdict } = describeSchemaChange(move, 'too_large', now)
  t.equal(verdict, 'unknown')
  t.equal(line, `UNKNOWN CHANGE: acme/weather main: what changed is too large to compare, ${by}`)
  t.match(SentSchemaChanged.parse(JSON.parse(payload)).details, {
    parent_snapshot_id: null,
    previous_snapshot_id: buildId(1),
    changes: [],
    counts: null,
    not_compared_reason: 'too_large',
  })
})

t.test('numbers of changes are sent with all their digits', async (t) => {
  const change =
    '{"group":"","kind":"attribute-changed","category":"meaning","verdict":"breaking","variable":"x",' +
    '"dimension":null,"attribute":"count","before":1,"after":12345678901234567890123}'
  const { payload } = describeSchemaChange(
    move,
    { verdict: 'breaking', words: '', changes: `[${change}]`, counts },
    now,
  )
  t.ok(payload.includes(`"changes":[${change}]`))
})
