import { t } from 'tap'
import { MissingObjectError, type Commit, type SnapshotId } from '@floe/storage/icechunk'
import { findSideBranches } from '../../../../server/metadata/history/find-side-branches.ts'

const id = (name: string) => name as SnapshotId // the search compares ids and does not look into them

function makeCommit(name: string, parent: string | null, message = ''): Commit {
  const parentId = parent === null ? null : id(parent)
  return { id: id(name), parentId, message, writtenAt: new Date(0), writtenMicroseconds: 0n, metadata: new Map() }
}

const never = new AbortController().signal

/** Searches the branches of a history `m9 ... m0`, given all commits as pairs of name and parent. */
async function search(
  commits: Readonly<Record<string, string | null>>,
  branches: Readonly<Record<string, string>>,
  limits = { maxRefs: 10, maxCommits: 5, maxReads: 100, maxBytes: 1e6 },
  message = '',
) {
  const part = ['m9', 'm8'].map((name, index) => makeCommit(name, `m${8 - index}`))
  let reads = 0
  const reader = {
    isCached: () => false,
    read: (wanted: SnapshotId) => {
      reads += 1
      const parent = commits[wanted]
      if (parent === undefined) throw new MissingObjectError('a repository', wanted)
      return makeCommit(wanted, parent, message)
    },
  }
  const refs = {
    branches: new Map(Object.entries(branches).map(([name, head]) => [name, id(head)])),
    tags: new Map<string, SnapshotId>(),
  }
  const found = await findSideBranches(refs, { commits: part, before: id('n1') }, reader, limits, never)
  return {
    branches: found.branches.map((list) => list.map((commit) => String(commit.id))),
    elsewhere: found.elsewhere,
    reads,
  }
}

t.test('finds the commits of a branch down to the one that it leaves, and of a branch of that', async (t) => {
  const found = await search({ a2: 'a1', a1: 'm8', b1: 'a1' }, { main: 'm9', a: 'a2', b: 'b1' })
  t.strictSame(found, { branches: [['a2', 'a1'], ['b1']], elsewhere: [], reads: 3 })
})

t.test('a branch that leaves further back, or whose commit is gone, is named', async (t) => {
  const far = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index + 1}`, `f${index}`]))
  const found = await search(far, { far: 'f20', gone: 'g1' })
  t.strictSame(found, { branches: [], elsewhere: ['far', 'gone'], reads: 6 })
})

t.test('a branch that leaves the history after the part is named', async (t) => {
  const found = await search({ n2: 'n1', n1: 'm9', a1: 'n2' }, { main: 'n2', a: 'a1' })
  t.strictSame(found.branches, [])
  t.strictSame(found.elsewhere, ['main', 'a'])
})

t.test('reads no more commits and branches than the limits allow', async (t) => {
  const far = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index + 1}`, `f${index}`]))
  const heads = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`b${index}`, `f${index + 1}`]))
  t.equal((await search(far, heads, { maxRefs: 100, maxCommits: 5, maxReads: 12, maxBytes: 1e6 })).reads, 12)
  const few = await search(far, heads, { maxRefs: 2, maxCommits: 5, maxReads: 100, maxBytes: 1e6 })
  t.ok(few.reads <= 10)
  t.equal(few.elsewhere.length, 20)
})

t.test('reads no commit after those that exceed the limit of bytes', async (t) => {
  const heads = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`b${index}`, `b${index}`]))
  const commits = Object.fromEntries(Object.keys(heads).map((name) => [name, 'm8']))
  const limits = { maxRefs: 100, maxCommits: 5, maxReads: 100, maxBytes: 2_500_000 }
  const found = await search(commits, heads, limits, 'x'.repeat(500_000))
  t.equal(found.reads, 3)
  t.strictSame(found.branches, [['b0'], ['b1'], ['b2']])
  t.equal(found.elsewhere.length, 17)
})
