// Which searches find a dataset that a head move touched, beside searches before and after it and the diff of official
// Icechunk.
import { readFile } from 'node:fs/promises'
import { openDatabase } from '@floe/storage/database'
import { decodeSnapshot, defaultLimits, openRepository, type SnapshotId } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import type { SearchConditions } from '@floe/contract/lists'
import { t } from 'tap'
import { z } from 'zod'
import { AttributeChains } from '../../../../server/groups/attribute-chain.ts'
import { describeGroup } from '../../../../server/search/describe/describe-dataset.ts'
import { matchTouched, touchedLimits } from '../../../../server/reading/diff/match-touched.ts'
import { answerDiff } from '../../../../server/reading/questions/answer-diff.ts'
import { writeArrayDocument } from '../../search/describe/array-document.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { indexDescribed, search } from '../../search/find/indexed-corpus.ts'

const changes = new URL('../../../fixtures/changes/', import.meta.url)

const Nodes = z.object({ created: z.array(z.string()), deleted: z.array(z.string()), updated: z.array(z.string()) })
const Diff = z.object({
  arrays: Nodes,
  groups: Nodes,
  chunks: z.record(z.string(), z.number()),
  moved: z.array(z.tuple([z.string(), z.string()])),
})
const Expected = z.record(z.string(), z.array(z.object({ from: z.string(), to: z.string(), diff: Diff })))

/** The snapshots of a repository by their tags, each with a search in its datasets. */
async function openVersions(directory: URL) {
  const repository = openRepository(openLocalStore(directory.pathname))
  const signal = AbortSignal.timeout(60_000)
  const { tags } = await (await repository.readState(signal)).readRefs(signal)
  const versions = new Map<string, { id: SnapshotId; find: (query: SearchConditions) => Promise<readonly string[]> }>()
  const terms = new Set<string>()
  for (const [tag, id] of tags) {
    const snapshot = await repository.readSnapshot(id, signal)
    const chains = new AttributeChains(snapshot, undefined)
    const described = snapshot.nodes
      .listParentsOfArrays()
      .map((path) => describeGroup(snapshot, { repo: 'sea', path, above: chains.readAbove(path) }))
    for (const { terms: ofDataset } of described) for (const term of ofDataset.keys()) terms.add(term)
    const db = await openDatabase('sqlite::memory:')
    t.teardown(() => db.destroy())
    await indexDescribed(db, 'acme', 'sea', described)
    const find = async (query: SearchConditions) => {
      const { results } = await search(db, { ...query, limit: 100 } as Parameters<typeof search>[1])
      return results.map(({ group }) => group)
    }
    versions.set(tag, { id, find })
  }
  return { repository, signal, versions, terms }
}

/** Words, beginnings and values that the datasets have, and one that none has. */
function listSearches(terms: ReadonlySet<string>): readonly SearchConditions[] {
  const kinds = { w: 'q', v: 'variable', u: 'units', d: 'dimension', y: 'dtype', a: 'attribute' } as const
  const known = [...terms].flatMap((term): SearchConditions[] => {
    const kind = Object.entries(kinds).find(([letter]) => term.startsWith(letter))?.[1]
    if (kind === undefined) return []
    const value = term.slice(1)
    return kind === 'q' ? [{ q: `${value} ` }, { q: value.slice(0, 3) }] : [{ [kind]: [value] }]
  })
  return [...known, { q: 'nothing-like-this' }, { bbox: '-180,-90,180,90' }, { q: '!' }]
}

const expected = Expected.parse(JSON.parse(await readFile(new URL('expected.json', changes), 'utf8')))

for (const version of ['v1', 'v2']) {
  // Proves: a commit matches a search if the search finds a dataset that it touched, before or after it, and else not
  t.test(`${version}: a search matches if it finds a touched dataset before or after the move`, async (t) => {
    const { repository, signal, versions, terms } = await openVersions(new URL(`${version}/`, changes))
    const searches = listSearches(terms)
    let matched = 0
    for (const { from, to, diff } of expected[version] ?? []) {
      const [before, after] = [versions.get(from), versions.get(to)]
      if (before === undefined || after === undefined) throw new TypeError(`no ${from} or ${to}`)
      const nodes = [diff.arrays, diff.groups].flatMap(({ created, deleted, updated }) => [created, deleted, updated])
      const changed = [...nodes.flat(), ...Object.keys(diff.chunks), ...diff.moved.flat()]
      const isTouched = (dataset: string) =>
        changed.some((path) => {
          const parent = path === '' ? undefined : path.slice(0, Math.max(path.lastIndexOf('/'), 0))
          return dataset === parent || dataset === path || path === '' || dataset.startsWith(`${path}/`)
        })
      const wanted: boolean[] = []
      for (const query of searches)
        wanted.push([...(await before.find(query)), ...(await after.find(query))].some(isTouched))
      const [earlier, later, logs] = await Promise.all([
        repository.readSnapshot(before.id, signal),
        repository.readSnapshot(after.id, signal),
        repository.readLogs(before.id, after.id, signal),
      ])
      const question = { kind: 'search-matches' as const, from: before.id, repo: 'sea', searches }
      const body = await answerDiff({ before: earlier, after: later, logs }, question, defaultLimits)
      t.strictSame(JSON.parse(body.toString()), wanted, `${from} to ${to}`)
      matched += wanted.filter(Boolean).length
    }
    t.ok(matched > 100, `${matched} matches`)
  })
}

const emptyGroup = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} })
const searches = [{ q: 'zeppelin ' }]

/** A snapshot with this number of datasets, and a move that changed the attributes of its root. */
async function moveOf(datasets: number, arrays: number) {
  const array = writeArrayDocument({})
  const nodes = Array.from({ length: datasets }, (_, index) => [
    buildNode(`/g${index}`, 2, emptyGroup),
    ...Array.from({ length: arrays }, (_, number) => buildNode(`/g${index}/v${number}`, 1, array)),
  ])
  const bytes = buildSnapshot({ nodes: [buildNode('/', 2, emptyGroup), ...nodes.flat()] })
  const source = { repository: 'memory', key: `snapshots/${buildId(1)}`, bytes }
  const snapshot = await decodeSnapshot(source, buildId(1), defaultLimits)
  const none = { created: [], deleted: [], updated: [] }
  const groups = { ...none, updated: [{ path: '', before: 0, after: 0, isReplaced: false }] }
  const changes = { groups, arrays: none, moves: [], chunks: [] }
  return { before: snapshot, after: snapshot, nodes: [], changes, chunksUnavailable: null }
}

t.test('a search finds a touched dataset by the metadata of its repository', async (t) => {
  const asked = { repo: 'r', searches, metadata: '{"description":"Of a zeppelin flight"}' }
  t.strictSame(matchTouched(await moveOf(1, 1), asked), [true])
})

t.test('if a move touched too many datasets, or nobody knows which, every search matches', async (t) => {
  const { datasets, arrays } = touchedLimits
  t.strictSame(matchTouched(await moveOf(datasets, 1), { repo: 'r', searches }), [false])
  t.strictSame(matchTouched(await moveOf(datasets + 1, 1), { repo: 'r', searches }), [true])
  t.strictSame(matchTouched(await moveOf(2, arrays / 2 + 1), { repo: 'r', searches }), [true])
  const unknown = { ...(await moveOf(1, 1)), chunksUnavailable: 'not-an-ancestor' as const }
  t.strictSame(matchTouched(unknown, { repo: 'r', searches }), [true])
})
