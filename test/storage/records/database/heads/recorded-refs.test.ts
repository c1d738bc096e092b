import { changeSelection, mainAlone, readHead, recordSelections, type RefSelection } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, commit, moveHead, repositoryWith } from '../recorded.ts'

const test = await testOnEngines(t)

const releases: RefSelection = { branches: ['release/*'], anonymous: [], tags: false }
const tags: RefSelection = { branches: [], anonymous: [], tags: true }

test('a selection is recorded unless another process has changed it', async (t, { db }) => {
  const ids = []
  for (const name of ['one', 'two', 'three']) {
    const { repoId } = await repositoryWith(db, [], name)
    await moveHead(db, repoId, ['A'], at(1))
    ids.push(repoId)
  }
  const [one = '', two = '', three = ''] = ids
  t.strictSame(
    await recordSelections(db, [
      { repoId: one, from: mainAlone, to: releases },
      { repoId: two, from: tags, to: releases },
    ]),
    new Set([one]),
  )
  const back = { repoId: one, from: releases, to: mainAlone }
  t.strictSame(await recordSelections(db, [back, { repoId: three, from: mainAlone, to: tags }]), new Set([one, three]))
  t.strictSame(
    await Promise.all([one, two, three].map(async (id) => (await readHead(db, id, 'main'))?.recordedSelection)),
    [mainAlone, mainAlone, tags],
  )
})

test('a head says whether other branches or tags are recorded', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  await moveHead(db, repoId, ['A'], at(1))
  const change = { repoId, addedBranches: [], addedTags: new Map<string, string>(), removedBranches: [] }
  const hasOthers = async () => (await readHead(db, repoId, 'main'))?.hasOtherRefs
  const branch = { repoId, branch: 'release/1', snapshotId: 'A', commit }
  t.equal(await hasOthers(), false)
  await changeSelection(db, { ...change, from: mainAlone, to: releases, addedBranches: [branch] }, at(2))
  t.equal(await hasOthers(), true)
  await changeSelection(db, { ...change, from: releases, to: tags, removedBranches: ['release/1'] }, at(3))
  t.equal(await hasOthers(), false)
  await changeSelection(db, { ...change, from: tags, to: releases }, at(4))
  await changeSelection(db, { ...change, from: releases, to: tags, addedTags: new Map([['v1', 'A']]) }, at(5))
  t.equal(await hasOthers(), true)
})
