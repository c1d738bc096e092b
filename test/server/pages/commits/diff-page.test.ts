import { t } from 'tap'
import type { ChunkFacts, ShownChanges } from '../../../../server/pages/commits/collect-changes.ts'
import { diffPage, type DiffPageData } from '../../../../server/pages/commits/diff-page.ts'
import type { WrittenChange } from '../../../../server/pages/parts/written-chunks.ts'
import { visibleText } from '../markup.ts'
import { attributes, links, pageSubject } from '../sample-dataset.ts'

const { deployment, repository, ref, commit } = pageSubject
const nothing = { created: [], deleted: [], updated: [] }
const comparison = {
  verdict: 'identical',
  groups: [],
  counts: { changes: { breaking: 0, unknown: 0, compatible: 0 }, notes: 0, notCompared: 0 },
} as const
const none: ShownChanges = { groups: nothing, arrays: nothing, moves: [], chunks: [] }

function pageOf(changes: Partial<ShownChanges>, more: Partial<DiffPageData> = {}): string {
  const from = { ref: { kind: 'tag', name: 'v1' }, commit } as const
  const data = { deployment, repository, from, to: { ref, commit }, changes: { ...none, ...changes }, comparison }
  return diffPage({ ...data, chunksUnavailable: null, remarks: [], ...more }, links)
}

const values = attributes('{"old":[100,72],"new":[120,72],"units":"K","title":"Weather"}')
const value = (name: string) => values.get(name) ?? null

/** Changed chunks of an array; how many are written is unknown unless it is given. */
function changedChunks(
  path: string,
  count: number,
  written: WrittenChange = { before: null, after: null },
  facts: ChunkFacts | null = null,
) {
  return { path, count, countWritten: () => written, facts }
}

t.test('nodes are listed below their groups, with what happened to them', async (t) => {
  const page = pageOf({
    groups: { ...nothing, created: ['wind'] },
    arrays: { ...nothing, created: ['wind/speed'], deleted: ['old/x'] },
    moves: [{ from: 'a', to: 'b' }],
  })
  const text = visibleText(page)
  t.match(text, 'Changes\n(2 created, 1 deleted, 1 moved)')
  t.match(text, '\nb\nmoved from a\n')
  t.match(text, '\nold/\n−\nx\narray deleted\n')
  t.match(text, '\n+\nwind\ngroup created\n+\nspeed\narray created')
})

t.test('a node that replaced another one says so, and which kind it was', async (t) => {
  const compare = () => null
  const chunks = [changedChunks('array-now', 2), changedChunks('group-now', 3)]
  const text = visibleText(
    pageOf({
      groups: { created: ['group-now'], deleted: ['array-now'], updated: [{ path: 'g', isReplaced: true, compare }] },
      arrays: {
        created: ['array-now'],
        deleted: ['group-now'],
        updated: [{ path: 'group-now', isReplaced: false, compare }],
      },
      moves: [{ from: 'b', to: 'g' }],
      chunks,
    }),
  )
  t.match(text, 'Changes\n(3 replaced, 1 moved, 2 with changed chunks)')
  t.match(text, '\n±\narray-now\ngroup replaced by an array, 2 chunks written or deleted\n')
  t.match(text, '\n±\ngroup-now\narray replaced by a group, 3 chunks written or deleted\n')
  t.match(text, '\n±\ng\ngroup replaced, moved from b')
})

t.test('the heading counts each node as what its line says', async (t) => {
  const compare = () => null
  const updated = ['a', 'b'].map((path) => ({ path, isReplaced: false, compare }))
  const moves = [
    { from: 'x', to: 'y' },
    { from: 'y', to: 'x' },
    { from: 'x', to: 'y' },
  ]
  const text = visibleText(pageOf({ arrays: { created: ['a'], deleted: ['b'], updated }, moves }))
  t.match(text, 'Changes\n(1 created, 1 deleted, 2 moved)')
  t.match(text, '\n+\na\narray created\n−\nb\narray deleted\n•\nx\nmoved from y\n•\ny\nmoved from x')
})

t.test('the id of a snapshot is shown once beside its commit', async (t) => {
  const { snapshotId } = commit
  const fromSection = (page: string) => /<section aria-label="From">.*?<\/section>/s.exec(page)?.[0] ?? ''
  t.equal(visibleText(fromSection(pageOf({}))).split(snapshotId).length, 2)
  const from = { ref: { kind: 'snapshot', name: snapshotId }, commit } as const
  t.equal(visibleText(fromSection(pageOf({}, { from }))).split(snapshotId).length, 2)
})

t.test('old and new values are side by side', async (t) => {
  const compare = () => ({
    attributes: [
      { name: 'units', before: undefined, after: value('units') },
      { name: 'title', before: value('title'), after: undefined },
    ],
    named: { shape: [value('old'), value('new')] } as const,
    others: [],
    dimensionNames: null,
  })
  const text = visibleText(pageOf({ arrays: { ...nothing, updated: [{ path: 't2m', isReplaced: false, compare }] } }))
  t.match(text, 'Name\nBefore\nAfter\nShape\n[100, 72]\n[120, 72]\nunits\nnone\nK\ntitle\nWeather\nnone')
})

/** Changes of a document: of its shape, and new units. */
const change = (names: readonly string[], units = 'K') => ({
  attributes: [{ name: 'units', before: undefined, after: units }],
  named: { shape: [value('old'), value('new')] } as const,
  others: [],
  dimensionNames: names,
})

t.test('arrays with equal changes share a line', async (t) => {
  const updated = Array.from({ length: 60 }, (_, index) => ({
    path: `g/v${index}`,
    isReplaced: false,
    compare: () => change(['time', 'x']),
  }))
  const other = { path: 'g/other', isReplaced: false, compare: () => change(['time', 'x'], 'm') }
  const chunks = updated.map(({ path }) => changedChunks(path, 24))
  const page = pageOf({ arrays: { ...nothing, updated: [other, ...updated] }, chunks })
  const text = visibleText(page)
  t.match(text, '\n60 arrays\ntime 100 → 120, 1,440 chunks written or deleted\nv0, v1, v10,')
  t.match(text, '\nother\narray updated, time 100 → 120\nName\nBefore\nAfter\nunits\nnone\nm\n')
  t.equal(page.split('<table').length - 1, 2)
  t.notMatch(text, 'not shown')
  const replaced = updated.map((node, index) => ({ ...node, isReplaced: index >= 58 }))
  const parts = visibleText(pageOf({ arrays: { ...nothing, updated: replaced }, chunks }))
  t.match(parts, '\n58 arrays\ntime 100 → 120, 1,392 chunks')
  t.match(parts, '\n2 arrays\nreplaced, time 100 → 120, 48 chunks')
})

t.test('changed chunks say how many are written, before and now', async (t) => {
  const [before, after] = [
    { written: 24, total: 24 },
    { written: 1_046, total: 1_048 },
  ]
  const text = visibleText(
    pageOf({
      chunks: [
        changedChunks('grown', 2, { before, after }),
        changedChunks('created', 2, { before: null, after }),
        changedChunks('deleted', 2, { before, after: null }),
        changedChunks('written-again', 2, { before, after: before }),
      ],
    }),
  )
  t.match(text, 'grown\narray, 2 chunks written or deleted, 24 of 24 → 1,046 of 1,048 written\n')
  t.match(text, 'created\narray, 2 chunks written or deleted, 1,046 of 1,048 written\n')
  t.match(text, 'deleted\narray, 2 chunks written or deleted\n')
  t.match(text, 'written-again\narray, 2 chunks written or deleted, 24 of 24 written\n')
  const updated = ['a', 'b'].map((path) => ({ path, isReplaced: false, compare: () => change(['time', 'x']) }))
  const chunks = updated.map(({ path }) => changedChunks(path, 1, { before, after }))
  const joined = visibleText(pageOf({ arrays: { ...nothing, updated }, chunks }))
  t.match(joined, '\n2 arrays\ntime 100 → 120, 2 chunks written or deleted, 48 of 48 → 2,092 of 2,096 written\n')
  const unknown = visibleText(
    pageOf({ arrays: { ...nothing, updated }, chunks: [...chunks.slice(1), changedChunks('a', 1)] }),
  )
  t.match(unknown, '\n2 arrays\ntime 100 → 120, 2 chunks written or deleted\n')
})

t.test('arrays with the same filled gaps share a line, which says how much larger they are', async (t) => {
  const filled = { along: 'init_time', ranges: [{ first: 7, last: 7 }] }
  const none = { before: null, after: null }
  const growth = { stored: 1_500_000, virtual: 0 }
  const single = visibleText(
    pageOf({
      chunks: [
        changedChunks('grown', 2, none, { growth, filled: null }),
        changedChunks('moved', 2, none, { growth: { stored: -2_000, virtual: 3_000_000 }, filled }),
        changedChunks('rewritten', 2, none, { growth: { stored: 0, virtual: 0 }, filled: { ...filled, ranges: [] } }),
        changedChunks('unknown', 2, none, { growth: null, filled: null }),
      ],
    }),
  )
  t.match(single, 'grown\narray, 2 chunks written or deleted, +2MB stored\n')
  t.match(single, 'moved\narray, 2 chunks written or deleted, −2kB stored, +3MB virtual, filled: init_time 7\n')
  t.match(single, 'rewritten\narray, 2 chunks written or deleted\n')
  t.match(single, 'unknown\narray, 2 chunks written or deleted\n')
  const names = ['a', 'b', 'c']
  const updated = names.map((path) => ({ path, isReplaced: false, compare: () => change(['time', 'x']) }))
  const ranges = Array.from({ length: 7 }, (_, index) => ({ first: 10 * index, last: 10 * index + 1 }))
  const chunks = names.map((path) =>
    changedChunks(path, 1, none, { growth, filled: path === 'c' ? { along: 'time', ranges } : filled }),
  )
  const joined = visibleText(pageOf({ arrays: { ...nothing, updated }, chunks }))
  t.match(joined, '\n2 arrays\ntime 100 → 120, 2 chunks written or deleted, +3MB stored, filled: init_time 7\na, b\n')
  t.match(joined, /\nc\n.*filled: time 0 to 1, 10 to 11, 20 to 21, 30 to 31, 40 to 41 and 2 more\n/)
})

t.test('bars compare the numbers of changed chunks', async (t) => {
  const page = pageOf({ chunks: [changedChunks('a', 1), changedChunks('b', 1_000)] })
  t.match(visibleText(page), 'a\narray, 1 chunk written or deleted')
  t.match(visibleText(page), 'b\narray, 1,000 chunks written or deleted')
  t.match(page, /<rect width="1%".*<rect width="100%"/s)
})

t.test('the page says when the changed chunks are unknown', async (t) => {
  const page = pageOf({ chunks: null }, { chunksUnavailable: 'not-an-ancestor' })
  t.match(visibleText(page), 'is not an ancestor of the second')
  t.match(visibleText(page), 'The changed chunks are unknown.')
  t.match(visibleText(page), 'Changes\n(none)')
})

t.test('however many nodes changed, the page stays below 1.5 MB and counts what it leaves out', async (t) => {
  let compared = 0
  const compare = () => {
    compared += 1
    const long = `${compared}${'x'.repeat(5_000)}`
    return { attributes: [{ name: 'a', before: long, after: long }], named: {}, others: [], dimensionNames: null }
  }
  const updated = Array.from({ length: 20_000 }, (_, index) => ({
    path: `g${index % 50}/node-${index}`,
    isReplaced: false,
    compare,
  }))
  const page = pageOf({ arrays: { ...nothing, updated } })
  t.ok(Buffer.byteLength(page) < 1_500_000, `${Buffer.byteLength(page)} bytes`)
  t.ok(compared < 2_000, `${compared} documents are compared`)
  t.match(visibleText(page), /[\d,]+ more changed nodes are not shown\./)
})

t.test('a path of many groups does not nest without end', async (t) => {
  const page = pageOf({ arrays: { ...nothing, created: [Array.from({ length: 5_000 }, () => 'g').join('/')] } })
  t.ok(page.split('<ul').length < 40)
})
