import { decodeSnapshot, type Snapshot } from '@floe/storage/icechunk'
import { t } from 'tap'
import { openGroup } from '../../../server/groups/open-group.ts'
import type { RefPageFacts } from '../../../server/reading/page-facts.ts'
import { answerQuestion } from '../../../server/reading/questions/answer-question.ts'
import { readShardRows } from '../../../server/search/describe/write-shard.ts'
import { buildId, buildNode, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { writeArray } from '../reading/hostile-documents.ts'

const page: RefPageFacts = {
  deployment: { name: 'tiles', org: 'acme', baseUrl: 'http://127.0.0.1/v1', hasSearch: true, isPublic: true },
  repo: 'hostile',
  ref: { kind: 'branch', name: 'main' },
  asOf: null,
  location: null,
  published: null,
  remarks: [],
  containers: [],
  v1: '/v1',
  assetsRoot: '/v1/assets',
  marks: null,
  navigation: null,
}

/** More values than the documents of a group may have. */
const manyValues = `[1${',1'.repeat(1_100_000)}]`

/** Nested deeper than a document may be. */
const deepValue = `${'['.repeat(2_000)}${']'.repeat(2_000)}`

const titled = '"title":"The North Sea"'

/** Decodes a snapshot whose root group has these attributes, and arrays with these attributes. */
async function openSnapshot(attributes: string, arrays: Readonly<Record<string, string>>): Promise<Snapshot> {
  const id = buildId(1)
  const root = buildNode('/', 2, `{"zarr_format":3,"node_type":"group","attributes":{${attributes}}}`)
  const nodes = Object.entries(arrays).map(([name, text]) => buildNode(`/${name}`, 1, writeArray({ attributes: text })))
  const bytes = buildSnapshot({ id, nodes: [root, ...nodes] })
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id)
}

/** What each place says about the root group. */
function describeEverywhere(snapshot: Snapshot) {
  const member = { path: '', fingerprint: null, changedAt: 0, changedMessage: '' }
  const shard = answerQuestion(snapshot, { kind: 'shard', repo: 'hostile', members: [member], isResized: true })
  const stac = answerQuestion(snapshot, { kind: 'stac-collection', group: '', page })
  const listed = answerQuestion(snapshot, { kind: 'first-datasets' })
  const html = answerQuestion(snapshot, { kind: 'dataset-page', group: '', page }).toString()
  return {
    page: html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    catalogue: JSON.parse(stac.toString()),
    listed: JSON.parse(listed.toString()).datasets,
    found: JSON.parse(readShardRows(shard).datasets),
  }
}

const tooLarge = {
  'has too many values': [manyValues, /The documents of the group have too many values, more than 2,000,000/],
  'is nested too deep': [deepValue, /A document is nested too many levels deep, more than 1,000/],
} as const

for (const [fault, [value, reason]] of Object.entries(tooLarge)) {
  t.test(`a group whose document ${fault} is shown with the reason and its arrays in each place`, async (t) => {
    const snapshot = await openSnapshot(`${titled},"a":${value}`, { temperature: '{"units":"K"}' })
    const { page, catalogue, listed, found } = describeEverywhere(snapshot)
    t.match(page, new RegExp(`Floe cannot decode this group ${reason.source}`))
    t.match(page, /Arrays as stored.*temperature.*int32/)
    t.match(catalogue.description, new RegExp(`Floe cannot decode this group: ${reason.source}`))
    t.match(listed, [{ path: '', title: null, dimensionCount: 0 }])
    t.match(found, [{ path: '', title: null, refusal: reason, variable_count: 1 }])
    t.throws(() => answerQuestion(snapshot, { kind: 'info', group: '' }), { name: 'DocumentsTooLargeError' })
  })

  t.test(`a group with an array whose document ${fault} is shown as far as it can be read`, async (t) => {
    const snapshot = await openSnapshot(titled, { a: '{}', b: `{"b":${value}}`, c: '{}' })
    const { page, catalogue, listed, found } = describeEverywhere(snapshot)
    t.match(page, new RegExp(`The North Sea.*Floe cannot decode this group ${reason.source}`))
    t.match(page, / a .*int32.* b .*cannot be read.* c .*cannot be read/)
    t.match(catalogue, { title: 'The North Sea', description: reason })
    t.match(listed, [{ title: 'The North Sea', dimensionCount: 0 }])
    t.match(found, [{ title: 'The North Sea', refusal: reason, variable_count: 1 }])
  })
}

t.test(
  'a group that the decoder refuses shows the documents that were read, also of arrays after the fault',
  async (t) => {
    const snapshot = await openSnapshot(titled, { a: '{"coordinates":1}', b: '{}' })
    const { dataset, refusal, readStored } = openGroup(snapshot, '', { cancellation: undefined })
    t.equal(dataset, undefined)
    t.match(refusal, { reason: 'array "a": its "coordinates" is not text', isTooLarge: false })
    const { attributes, arrays } = readStored()
    t.strictSame([...attributes], [['title', 'The North Sea']])
    t.strictSame(
      [...arrays].map(([name, array]) => [name, array?.dataType.name]),
      [
        ['a', 'int32'],
        ['b', 'int32'],
      ],
    )
    t.match(describeEverywhere(snapshot).page, /xarray cannot open this group array/)
  },
)

t.test('a cancellation and a missing group are no refusals', async (t) => {
  const snapshot = await openSnapshot(titled, {})
  const cancellation = AbortSignal.abort(new Error('left'))
  const wide = await openSnapshot(`"a":${manyValues}`, {})
  t.throws(() => openGroup(wide, '', { cancellation }), { message: 'left' })
  t.throws(() => openGroup(snapshot, 'nowhere', { cancellation: undefined }), { code: 'group-not-found' })
})
