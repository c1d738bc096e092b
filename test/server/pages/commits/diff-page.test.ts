import { t } from 'tap'
import type { ShownChanges } from '../../../../server/pages/commits/change-tree.ts'
import { diffPage, type DiffPageData } from '../../../../server/pages/commits/diff-page.ts'
import { visibleText } from '../markup.ts'
import { attributes, links, pageSubject } from '../sample-dataset.ts'

const { deployment, repository, ref, commit } = pageSubject
const nothing = { created: [], deleted: [], updated: [] }
const none: ShownChanges = { groups: nothing, arrays: nothing, moves: [], chunks: [] }

function pageOf(changes: Partial<ShownChanges>, more: Partial<DiffPageData> = {}): string {
  const from = { ref: { kind: 'tag', name: 'v1' }, commit } as const
  const data = { deployment, repository, from, to: { ref, commit }, changes: { ...none, ...changes } }
  return diffPage({ ...data, chunksUnavailable: null, ...more }, links)
}

const values = attributes('{"old":[100,72],"new":[120,72],"units":"K","title":"Weather"}')
const value = (name: string) => values.get(name) ?? null

t.test('nodes stand below their groups, with what happened to them', async (t) => {
  const page = pageOf({
    groups: { ...nothing, created: ['wind'] },
    arrays: { ...nothing, created: ['wind/speed', 'again'], deleted: ['again', 'old/x'] },
    moves: [{ from: 'a', to: 'b' }],
  })
  const text = visibleText(page)
  t.match(text, 'Changes\n(3 created, 2 deleted, 1 moved)')
  t.match(text, '\n±\nagain\narray deleted and created again\n')
  t.match(text, '\nb\nmoved from a\n')
  t.match(text, '\nold/\n−\nx\narray deleted\n')
  t.match(text, '\n+\nwind\ngroup created\n+\nspeed\narray created')
})

t.test('the id of a snapshot stands once beside its commit', async (t) => {
  const { snapshotId } = commit
  const of = (page: string) => /<section aria-label="From">.*?<\/section>/s.exec(page)?.[0] ?? ''
  t.equal(visibleText(of(pageOf({}))).split(snapshotId).length, 2)
  const from = { ref: { kind: 'snapshot', name: snapshotId }, commit } as const
  t.equal(visibleText(of(pageOf({}, { from }))).split(snapshotId).length, 2)
})

t.test('old and new values stand side by side', async (t) => {
  const compare = () => ({
    attributes: {
      created: [['units', value('units')]] as const,
      deleted: [['title', value('title')]] as const,
      updated: [],
    },
    named: { shape: [value('old'), value('new')] } as const,
    others: [],
    dimensionNames: null,
  })
  const text = visibleText(pageOf({ arrays: { ...nothing, updated: [{ path: 't2m', compare }] } }))
  t.match(text, 'Name\nBefore\nAfter\nShape\n[100, 72]\n[120, 72]\nunits\nnone\nK\ntitle\nWeather\nnone')
})

t.test('arrays with equal changes share a line', async (t) => {
  const change = (names: readonly string[], units = 'K') => ({
    attributes: { created: [['units', units]] as const, deleted: [], updated: [] },
    named: { shape: [value('old'), value('new')] } as const,
    others: [],
    dimensionNames: names,
  })
  const updated = Array.from({ length: 60 }, (_, index) => ({
    path: `g/v${index}`,
    compare: () => change(['time', 'x']),
  }))
  const other = { path: 'g/other', compare: () => change(['time', 'x'], 'm') }
  const chunks = updated.map(({ path }) => ({ path, count: 24 }))
  const page = pageOf({ arrays: { ...nothing, updated: [other, ...updated] }, chunks })
  const text = visibleText(page)
  t.match(text, '\n60 arrays\ntime 100 → 120, 1,440 chunks written or deleted\nv0, v1, v10,')
  t.match(text, '\nother\narray updated, time 100 → 120\nName\nBefore\nAfter\nunits\nnone\nm\n')
  t.equal(page.split('<table').length - 1, 2)
  t.notMatch(text, 'not shown')
})

t.test('bars compare the numbers of changed chunks', async (t) => {
  const page = pageOf({
    chunks: [
      { path: 'a', count: 1 },
      { path: 'b', count: 1_000 },
    ],
  })
  t.match(visibleText(page), 'a\narray, 1 chunk written or deleted')
  t.match(visibleText(page), 'b\narray, 1,000 chunks written or deleted')
  t.match(page, /<rect width="1%".*<rect width="100%"/s)
})

t.test('the page says when it is not known which chunks changed', async (t) => {
  const page = pageOf({ chunks: null }, { chunksUnavailable: 'not-an-ancestor' })
  t.match(visibleText(page), 'is not an ancestor of the second')
  t.match(visibleText(page), 'Changes\n(none)')
})

t.test('however many nodes changed, the page stays below 1.5 MB and counts what it leaves out', async (t) => {
  let compared = 0
  const compare = () => {
    compared += 1
    const long = `${compared}${'x'.repeat(5_000)}`
    const updated = [['a', [long, long]]] as const
    return { attributes: { created: [], deleted: [], updated }, named: {}, others: [], dimensionNames: null }
  }
  const updated = Array.from({ length: 20_000 }, (_, index) => ({ path: `g${index % 50}/node-${index}`, compare }))
  const page = pageOf({ arrays: { ...nothing, updated } })
  t.ok(Buffer.byteLength(page) < 1_500_000, `${Buffer.byteLength(page)} bytes`)
  t.ok(compared < 2_000, `${compared} documents are compared`)
  t.match(visibleText(page), /[\d,]+ more changed nodes are not shown\./)
})

t.test('a path of many groups does not nest without end', async (t) => {
  const page = pageOf({ arrays: { ...nothing, created: [Array.from({ length: 5_000 }, () => 'g').join('/')] } })
  t.ok(page.split('<ul').length < 40)
})
