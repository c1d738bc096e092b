import { decodeSnapshot, defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { listFingerprints } from '../../../../server/search/describe/list-fingerprints.ts'
import { readShardRows, type ShardMember, writeShard } from '../../../../server/search/describe/write-shard.ts'
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
    datasets: JSON.parse(datasets) as {
      fingerprint: string
      title: string | null
      institution: string | null
      changed_message: string
    }[],
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

t.test('other metadata of the repository is written, and is no change of a dataset', async (t) => {
  const documents = { '/': group({}), '/a': group({}), '/a/v': writeArrayDocument({}) }
  const shard = { repo: 'r', members: [member('a')], isResized: true }
  const before = writeShard(await makeSnapshot(documents, 'First'), { ...shard, metadata: '{"title":"One"}' })
  const [first] = readRows(before).datasets
  t.match(first, { title: 'One', changed_message: 'First' })
  const known = { ...member('a'), fingerprint: first?.fingerprint ?? null, changedMessage: 'First' }
  const again = await makeSnapshot(documents, 'Second')
  const update = { repo: 'r', members: [known], isResized: false }
  t.equal(writeShard(again, { ...update, metadata: '{"title":"One"}' }).length, 0)
  for (const metadata of ['{"title":"Two"}', undefined]) {
    const { datasets } = readRows(writeShard(again, { ...update, metadata }))
    t.match(datasets, [{ title: metadata === undefined ? null : 'Two', changed_message: 'First' }])
  }
})

t.test('groups beyond the limit are left out, and counted', async (t) => {
  const snapshot = await makeSnapshot(
    Object.fromEntries(
      Array.from({ length: 10_003 }, (_, index) => [
        [`/g${index}`, group({})],
        [`/g${index}/v`, writeArrayDocument({})],
      ]).flat(),
    ),
  )
  const { groups, omitted } = listFingerprints(snapshot, {})
  t.strictSame([groups.length, omitted], [10_000, 3])
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

t.test('attributes of the groups above are found, unless a nearer group has its own', async (t) => {
  const snapshot = await makeSnapshot({
    '/': group({ platform: 'PACE', source: 'Radar', institution: 'KNMI', history: 'word '.repeat(5_000) }),
    '/a': group({ source: 'Lidar', institution: 'None' }),
    '/a/b': group({}),
    '/a/b/v': writeArrayDocument({}),
  })
  const body = writeShard(snapshot, { repo: 'r', members: [member('a/b')], isResized: true })
  const { datasets, terms } = readRows(body)
  t.match(datasets, [{ institution: 'KNMI' }])
  for (const term of ['aplatform=PACE', 'wpace', 'asource=Lidar', 'wlidar', 'iKNMI', 'wword'])
    t.ok(terms.has(term), term)
  for (const term of ['asource=Radar', 'wradar']) t.notOk(terms.has(term), term)
})

t.test('texts inside of objects are found, as those of an item of STAC', async (t) => {
  const nested = { id: 'S2B', properties: { platform: 'Sentinel-2b', title: 'Scene of Avignon', bands: ['red edge'] } }
  const deep = JSON.parse(`${'{"a":'.repeat(500)}"bottom"${'}'.repeat(500)}`) as object
  const wide = { list: Array.from({ length: 100_000 }, () => [1]), last: ['never'] }
  const snapshot = await makeSnapshot({
    '/': group({ stac_discovery: nested, deep, wide }),
    '/v': writeArrayDocument({}),
  })
  const { terms } = readRows(writeShard(snapshot, { repo: 'r', members: [member('')], isResized: true }))
  for (const word of ['s2b', 'sentinel', 'avignon', 'edge', 'bottom']) t.ok(terms.has(`w${word}`), word)
  t.ok(terms.has('pred edg'), 'a phrase')
  t.ok(terms.has(`astac_discovery=${JSON.stringify(nested)}`), 'the attribute as a whole')
  t.notOk(terms.has('aplatform=Sentinel-2b'), 'what is inside is no attribute')
  t.notOk(terms.has('wnever'), 'beyond the number of values that are looked at')
})

t.test('what many datasets inherit takes few places of each', async (t) => {
  const texts = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [`a${index}`, `word${index} other${index} third${index}`]),
  )
  const snapshot = await makeSnapshot({ '/': group(texts), '/a': group({}), '/a/v': writeArrayDocument({}) })
  const { terms } = readRows(writeShard(snapshot, { repo: 'r', members: [member('a')], isResized: true }))
  t.ok(terms.size > 2_000 && terms.size < 2_200, `${terms.size} terms`)
})

t.test('long descriptions leave the places for the names and words of further variables', async (t) => {
  const describe = (variable: number) =>
    writeArrayDocument({ comment: Array.from({ length: 120 }, (_, word) => `w${variable * 120 + word}`).join(' ') })
  const arrays = Array.from({ length: 300 }, (_, variable) => [`/last_${variable}`, describe(variable)] as const)
  const snapshot = await makeSnapshot({ '/': group({}), ...Object.fromEntries(arrays) })
  const { terms } = readRows(writeShard(snapshot, { repo: 'r', members: [member('')], isResized: true }))
  const described = [...terms].filter((term) => term.startsWith('pw'))
  t.equal(described.length, 20_000)
  for (const term of ['pw0 w1', 'plast 299', 'ww35999']) t.ok(terms.has(term), term)
})

t.test('work on a shard ends when nobody needs it, also while it reads the groups above', async (t) => {
  const countChecks = async (attributes: object, allowed = Infinity) => {
    const snapshot = await makeSnapshot({ '/': group(attributes), '/a': group({}), '/a/v': writeArrayDocument({}) })
    let checks = 0
    const throwIfAborted = () => {
      if (++checks > allowed) throw new Error('cancelled')
    }
    writeShard(snapshot, { repo: 'r', members: [member('a')], isResized: true }, { throwIfAborted })
    return checks
  }
  const large = { list: Array.from({ length: 20_000 }, () => 1) }
  const checks = await countChecks(large)
  t.ok(checks >= (await countChecks({})) + 15, `${checks} checks`)
  await t.rejects(countChecks(large, checks - 5), { message: 'cancelled' })
})
