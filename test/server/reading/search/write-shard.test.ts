import { decodeSnapshot, defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { readShardRows, type ShardMember, writeShard } from '../../../../server/reading/search/write-shard.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { writeArrayDocument } from './array-document.ts'

const group = (attributes: object) => JSON.stringify({ zarr_format: 3, node_type: 'group', attributes })

/** Decodes a snapshot with these documents by path. */
function makeSnapshot(documents: Readonly<Record<string, string>>, message = 'Append') {
  const nodes = Object.entries(documents).map(([path, document]) =>
    buildNode(path, document.includes('"array"') ? 1 : 2, document),
  )
  const [id, bytes] = [buildId(1), buildSnapshot({ nodes, message })]
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
}

const member = (path: string): ShardMember => ({ path, fingerprint: null, changedAt: 0, changedMessage: '' })

function readRows(body: Buffer) {
  const { summary, datasets, words } = readShardRows(body)
  return {
    summary,
    datasets: JSON.parse(datasets) as { fingerprint: string; title: string | null; changed_message: string }[],
    terms: new Set((JSON.parse(words) as { term: string }[]).map(({ term }) => term)),
  }
}

t.test('a dataset inherits texts of the groups above it, unless it states its own', async (t) => {
  const snapshot = await makeSnapshot({
    '/': group({ title: 'Archive', summary: 'Of zeppelins' }),
    '/a': group({ title: 'Flights' }),
    '/a/own': group({ title: 'Own title' }),
    '/a/own/v': writeArrayDocument({}),
    '/a/v': writeArrayDocument({}),
  })
  const body = writeShard(snapshot, { repo: 'r', members: [member('a'), member('a/own')], isResized: true })
  const { datasets, terms } = readRows(body)
  t.match(datasets, [
    { title: 'Flights', summary: 'Of zeppelins' },
    { title: 'Own title', summary: 'Of zeppelins' },
  ])
  t.ok(terms.has('wzeppelins'))
  t.notOk(terms.has('warchive'), 'the title of the root is hidden by that of its group')
})

t.test('nothing is written if no document has changed, and a change of a group above is one', async (t) => {
  const documents = { '/': group({ title: 'One' }), '/a': group({}), '/a/v': writeArrayDocument({}) }
  const before = await makeSnapshot(documents, 'First')
  const written = readRows(writeShard(before, { repo: 'r', members: [member('a')], isResized: true }))
  const fingerprint = written.datasets[0]?.fingerprint ?? null
  const known = { ...member('a'), fingerprint, changedMessage: 'First' }
  const again = await makeSnapshot(documents, 'Second')
  t.equal(writeShard(again, { repo: 'r', members: [known], isResized: false }).length, 0)
  const kept = readRows(writeShard(again, { repo: 'r', members: [known], isResized: true }))
  t.match(kept.datasets, [{ changed_message: 'First', fingerprint }], 'the last change stays')
  const renamed = await makeSnapshot({ ...documents, '/': group({ title: 'Two' }) }, 'Third')
  const changed = readRows(writeShard(renamed, { repo: 'r', members: [known], isResized: false }))
  t.match(changed.datasets, [{ title: 'Two', changed_message: 'Third' }])
})

t.test('a shard has fewer datasets if these have many words', async (t) => {
  const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
  const arrays = Array.from(
    { length: 400 },
    (_, index) => [`v${index}`, writeArrayDocument({ long_name: words, a: words })] as const,
  )
  const paths = Array.from({ length: 10 }, (_, index) => `g${index}`)
  const documents = Object.fromEntries(
    paths.flatMap((path) => [
      [`/${path}`, group({})],
      ...arrays.map(([name, document]) => [`/${path}/${name}`, document]),
    ]),
  )
  const snapshot = await makeSnapshot({ '/': group({}), ...documents })
  const { summary } = readRows(writeShard(snapshot, { repo: 'r', members: paths.map(member), isResized: true }))
  t.ok(summary.datasets >= 1 && summary.datasets < paths.length, `${summary.datasets} datasets`)
})
