import {
  addRemark,
  type Database,
  deleteRemark,
  findRemarks,
  findRetracted,
  listAudit,
  listRemarks,
  maxRemarks,
  type NewRemark,
  type Remark,
  updateRemark,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, by, repositoryWith, webhook } from '../recorded.ts'

const test = await testOnEngines(t)

const successor = { repo: 'weather-v2', ref: null, link: null }
const words = { text: 'Step 12 is NaN', since: null, until: null, supersededBy: null }

/** A retraction of the whole repository, or of what `target` names. */
function retract(target: Partial<NewRemark> = {}): NewRemark {
  return { kind: 'retraction', range: null, ref: null, path: null, snapshotIds: [], ...words, ...target }
}

function ofSnapshots(...snapshotIds: string[]): Pick<NewRemark, 'range' | 'snapshotIds'> {
  return { range: { from: snapshotIds[0] ?? '', to: snapshotIds.at(-1) ?? '' }, snapshotIds }
}

/** A repository whose webhook gets the events of remarks. */
async function remarkedRepository(db: Database, name = 'weather') {
  const hook = webhook('hook', { events: ['NotePosted', 'SnapshotRetracted'] })
  const { repoId } = await repositoryWith(db, [hook], name)
  const repository = { id: repoId, org: 'acme', name }
  const describe = (_: unknown, { kind, text }: Remark) => ({ payload: '{}', line: `${kind}: ${text}` })
  const add = async (added: NewRemark, ms: number) =>
    (await addRemark(db, repository, added, describe, { by, now: at(ms) })).remark
  return { repoId, repository, add }
}

// Proves: each remark is told once, and each change of one is in the audit
test('a remark is told once, and each change is in the audit', async (t, { db }) => {
  const { repoId, repository, add } = await remarkedRepository(db)
  const note = { ...retract({ path: 'forecast' }), kind: 'note', since: at(5), until: at(9) } as const
  const { snapshotIds: _, ...said } = note
  const added = await add({ ...note, supersededBy: successor }, 1)
  const expected = { ...said, supersededBy: successor, id: added.id, createdAt: at(1), updatedAt: at(1) }
  t.strictSame(await listRemarks(db, repoId), [expected])
  const options = { by, now: at(2) }
  t.equal((await updateRemark(db, repository, added.id, { since: at(5) }, options)).audit, undefined)
  const supersededBy = { repo: null, ref: null, link: 'https://example.org/v2' }
  const changed = await updateRemark(db, repository, added.id, { text: 'Other', supersededBy }, options)
  t.strictSame(changed.remark, { ...expected, text: 'Other', supersededBy, updatedAt: at(2) })
  t.strictSame(await listRemarks(db, repoId), [changed.remark])
  const other = await remarkedRepository(db, 'ocean')
  const missing = { name: 'RecordProblem', code: 'remark-not-found' }
  await t.rejects(updateRemark(db, other.repository, added.id, { text: 'No' }, options), missing)
  await t.rejects(deleteRemark(db, other.repository, added.id, options), missing)
  await add(retract(ofSnapshots('A', 'B')), 3)
  await deleteRemark(db, repository, added.id, { by, now: at(4) })
  t.equal((await listRemarks(db, repoId)).length, 1)
  const sent = db.selectFrom('deliveries').innerJoin('events', 'events.number', 'event_number').select('events.line')
  t.strictSame(
    (await sent.orderBy('events.number').execute()).map(({ line }) => line),
    ['note: Step 12 is NaN', 'retraction: Step 12 is NaN'],
  )
  const audit = await listAudit(db, { repoId, limit: 10 })
  t.match(
    audit.filter(({ action }) => action.startsWith('remark.')),
    [
      { action: 'remark.delete', before: { superseded_by: supersededBy }, after: null },
      { action: 'remark.create', after: { kind: 'retraction', from: 'A', to: 'B', superseded_by: null } },
      { action: 'remark.update', before: { text: 'Step 12 is NaN' }, after: { text: 'Other' } },
      { action: 'remark.create', after: { path: 'forecast', superseded_by: successor } },
    ],
  )
})

test('the remarks of some snapshots are found with those that name none', async (t, { db }) => {
  const { add } = await remarkedRepository(db)
  const other = await remarkedRepository(db, 'ocean')
  await add(retract({ ...ofSnapshots('A', 'B', 'C'), text: 'range' }), 1)
  await add(retract({ ...ofSnapshots('C'), path: 'forecast', text: 'one' }), 2)
  await add(retract({ ref: 'main', text: 'ref' }), 3)
  await other.add(retract({ ...ofSnapshots('B'), text: 'elsewhere' }), 4)
  const show = async (repos: readonly string[], ...ids: string[]) =>
    (await findRemarks(db, { org: 'acme', repos }, ids)).map(({ text, snapshotIds }) => [
      text,
      snapshotIds && [...snapshotIds].sort(),
    ])
  t.strictSame(await show(['weather'], 'B', 'C'), [
    ['ref', null],
    ['one', ['C']],
    ['range', ['B', 'C']],
  ])
  t.strictSame(await show(['weather'], 'D'), [['ref', null]])
  t.strictSame(await show(['ocean', 'weather'], 'B'), [
    ['elsewhere', ['B']],
    ['ref', null],
    ['range', ['B']],
  ])
  t.strictSame(await show([], 'B'), [])
})

// Proves: a retracted snapshot is known until its retraction is deleted
test('a snapshot is retracted by what names it, its branch or the whole repository', async (t, { db }) => {
  const { repoId, repository, add } = await remarkedRepository(db)
  const find = async (branch?: string) => [...(await findRetracted(db, repoId, ['A', 'B', 'D'], branch))].sort()
  const range = await add(retract(ofSnapshots('A', 'B', 'C')), 1)
  await add(retract({ ...ofSnapshots('D'), path: 'forecast' }), 2)
  await add({ ...retract(ofSnapshots('D')), kind: 'note' }, 3)
  t.strictSame(await find(), ['A', 'B'])
  const branch = await add(retract({ ref: 'main' }), 4)
  t.strictSame(await find('main'), ['A', 'B', 'D'])
  t.strictSame(
    [await find('other'), await find()],
    [
      ['A', 'B'],
      ['A', 'B'],
    ],
  )
  for (const { id } of [range, branch]) await deleteRemark(db, repository, id, { by, now: at(5) })
  t.strictSame(await find('main'), [])
  t.equal((await db.selectFrom('remark_snapshots').selectAll().execute()).length, 2, 'snapshots go with their remark')
  await add(retract(), 6)
  t.strictSame(await find(), ['A', 'B', 'D'])
})

test('a repository has a maximum number of remarks', async (t, { db }) => {
  const { add, repoId } = await remarkedRepository(db)
  const snapshotIds = Array.from({ length: 1_000 }, (_, number) => `S${number}`)
  await add(retract({ range: { from: 'S0', to: 'S999' }, snapshotIds }), 0)
  t.equal((await findRetracted(db, repoId, ['S0', 'S500', 'S999', 'S1000'])).size, 3)
  for (let number = 1; number < maxRemarks; number += 1) await add(retract({ path: 'a' }), number)
  await t.rejects(add(retract(), 999), { name: 'RecordProblem', code: 'too-many-remarks' })
})
