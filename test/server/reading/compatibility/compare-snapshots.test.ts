// Whether changes break readers, for snapshots and logs that no official library would write.
import { Compatibility } from '@floe/contract'
import { decodeSnapshot, defaultLimits, type LogFiles } from '@floe/storage/icechunk'
import { t } from 'tap'
import { answerDiff } from '../../../../server/reading/questions/answer-diff.ts'
import { buildLog, buildNodeId, type LogDescription } from '../../../storage/repositories/icechunk/build-log.ts'
import { decodeSnapshotId } from '../../../../storage/repositories/icechunk/format/object-id.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'

/** Nodes by path: the number of the id, and the document. */
type Nodes = Readonly<Record<string, readonly [id: number, document: string]>>

const group = (attributes = '{}', more = '') =>
  `{"zarr_format":3,"node_type":"group","attributes":${attributes}${more}}`

const array = ({ names = '["x"]', shape = '[4]', type = '"int8"', attributes = '{}', more = '' } = {}) =>
  `{"zarr_format":3,"node_type":"array","shape":${shape},"data_type":${type},"fill_value":0,"codecs":` +
  `[{"name":"bytes"}],"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"chunk_key_encoding":` +
  `{"name":"default"},"attributes":${attributes},"dimension_names":${names}${more}}`

/** An array names the manifest 1, unless it has no chunks. */
const data = (manifests: readonly number[]) => ({
  table: [undefined, undefined, { tables: manifests.map((id) => [{ struct: decodeSnapshotId(buildId(id)) }]) }],
})

async function build(number: number, nodes: Nodes, chunks: readonly number[] = [1]) {
  const id = buildId(number)
  const described = Object.entries(nodes).map(([path, [nodeId, document]]) => {
    const isArray = document.includes('"array"')
    const node = buildNode(`/${path}`, isArray ? 1 : 2, document, buildNodeId(nodeId))
    return isArray ? [...node, data(chunks)] : node
  })
  const bytes = buildSnapshot({ id, nodes: described, manifests: [{ id: 1, count: 1 }] })
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
}

const writeLogs = (log: LogDescription): LogFiles => ({
  kind: 'logs',
  files: [{ repository: 'memory', key: `transactions/${buildId(1)}`, bytes: buildLog(log) }],
})

async function compare(
  before: Nodes,
  after: Nodes,
  logs: LogFiles = { kind: 'not-an-ancestor' },
  below = '',
  chunks: readonly [before: readonly number[], after: readonly number[]] = [[1], [1]],
) {
  const [one, other] = [await build(1, before, chunks[0]), await build(2, after, chunks[1])]
  const question = { kind: 'compatibility', from: one.id, group: below } as const
  const body = await answerDiff({ before: one, after: other, logs }, question, defaultLimits)
  return Compatibility.parse(JSON.parse(Buffer.from(body).toString()))
}

/** What differs, as `group: verdict kind name`. */
const list = ({ datasets }: Compatibility) =>
  datasets.flatMap(({ group, changes }) =>
    changes.map(({ kind, verdict, variable, dimension, attribute, moved_from }) =>
      [`${group}:`, verdict, kind, variable ?? dimension, attribute, moved_from && `from ${moved_from}`]
        .filter((word) => word !== null && word !== undefined)
        .join(' '),
    ),
  )

t.test('what was moved is listed as removed and as added, with the earlier path', async (t) => {
  const before = {
    '': [1, group()],
    a: [2, group()],
    'a/v': [3, array()],
    b: [4, group()],
    'b/v': [5, array()],
    'b/w': [6, array()],
  } as const
  const after = {
    '': [1, group()],
    b: [4, group()],
    'b/v': [5, array()],
    c: [2, group()],
    'c/v': [3, array()],
    'c/w': [6, array()],
  } as const
  const expected = [
    'a: breaking dataset-removed',
    'b: breaking variable-removed w',
    'c: compatible dataset-added from a',
  ]
  t.strictSame(list(await compare(before, after)), expected)
  const moves = [['/a', '/c'] as const, ['/b/w', '/c/w'] as const]
  t.strictSame(list(await compare(before, after, writeLogs({ moves }))), expected)
  const inside = { '': [1, group()], b: [4, group()], 'b/v': [5, array()], 'b/u': [6, array()] } as const
  t.strictSame(
    list(await compare({ '': [1, group()], b: [4, group()], 'b/v': [5, array()], 'b/w': [6, array()] }, inside)),
    ['b: breaking variable-removed w', 'b: compatible variable-added u from b/w'],
  )
})

t.test('words say where a variable or a dataset has gone, also those about a contract', async (t) => {
  const before = {
    '': [1, group()],
    a: [2, group()],
    'a/v': [3, array()],
    b: [4, group()],
    'b/w': [5, array()],
  } as const
  const after = {
    '': [1, group()],
    a: [2, group()],
    'a/u': [3, array()],
    c: [4, group()],
    'c/w': [5, array()],
  } as const
  const [one, other] = [await build(1, before), await build(2, after)]
  const logs = writeLogs({ moves: [['/a/v', '/a/u'] as const, ['/b', '/c'] as const] })
  const ask = async (question: Parameters<typeof answerDiff>[1]) =>
    JSON.parse(Buffer.from(await answerDiff({ before: one, after: other, logs }, question, defaultLimits)).toString())
  const { words } = await ask({ kind: 'schema-change', from: one.id })
  t.equal(words, 'a: v was renamed to u; b: the dataset was moved to /c')
  const variables = { v: { type: 'int8' } }
  const contract = JSON.stringify({ version: 1, datasets: { a: { variables }, b: { variables }, d: { variables } } })
  const { breaks, changes } = await ask({ kind: 'renames-judgement', from: one.id, contract })
  t.strictSame(breaks, ['a: v was renamed to u', 'b: the dataset was moved to /c', 'd: the dataset is missing'])
  t.match(changes[0], { kind: 'variable-removed', variable: 'v' }, 'programs get what they got')
  t.notOk('moved_to' in changes[0])
  const away = { '': [1, group()], a: [2, group()], 'a/x': [6, array()], c: [4, group()], 'c/v': [3, array()] } as const
  const further = { before: one, after: await build(2, away), logs: { kind: 'not-an-ancestor' as const } }
  const body = await answerDiff(further, { kind: 'schema-change', from: one.id }, defaultLimits)
  t.match(JSON.parse(Buffer.from(body).toString()).words, 'a: v was moved to /c/v')
})

t.test('of a group without arrays only the attributes are compared', async (t) => {
  const before = {
    '': [1, group('{"a":1}')],
    gone: [2, group('{"a":1}')],
    was: [3, group()],
    'was/v': [4, array()],
  } as const
  const after = { '': [1, group('{"a":2}')], new: [5, group()], was: [3, group('{"a":1}')] } as const
  t.strictSame(list(await compare(before, after)), [
    'was: breaking dataset-removed',
    ': compatible group-attributes-changed a',
  ])
})

t.test('a child group that zarr-python refuses takes the group above it down', async (t) => {
  const sound = { '': [1, group()], v: [2, array()], child: [3, group()] } as const
  const refused = { ...sound, child: [3, group('{}', ',"extra":{"must_understand":true}')] } as const
  const log = writeLogs({ updatedGroups: [3] })
  t.strictSame(list(await compare(sound, refused, log)), [
    ': breaking dataset-unreadable',
    'child: breaking dataset-unreadable',
  ])
  t.strictSame(list(await compare(refused, sound, log)), [
    ': compatible dataset-readable-again',
    'child: compatible dataset-readable-again',
  ])
  const other = { ...sound, child: [3, group('{"a":1}')] } as const
  t.strictSame(list(await compare(sound, other, log)), ['child: compatible group-attributes-changed a'])
})

t.test(
  'an array that is unreadable in both is unknown if its document differs, whatever the other groups',
  async (t) => {
    const broken = (attributes: string) =>
      ({ '': [1, group()], v: [2, array({ names: '[]', attributes })], c: [3, group(attributes)] }) as const
    t.match(await compare(broken('{}'), broken('{"a":1}')), {
      verdict: 'unknown',
      datasets: [
        { group: '', changes: [{ kind: 'dataset-unreadable', verdict: 'unknown', reason: /dimension_names/ }] },
        {},
      ],
    })
    t.match(await compare(broken('{}'), broken('{}')), { verdict: 'identical', datasets: [] })
  },
)

t.test('chunks that were written, arrays that were replaced, and neither', async (t) => {
  const packed = (factor: string, id = 2) =>
    ({ '': [1, group()], v: [id, array({ attributes: `{"scale_factor":${factor}}` })] }) as const
  const reinterpreted = ': breaking values-reinterpreted v'
  t.strictSame(list(await compare(packed('0.5'), packed('0.1'), writeLogs({ updatedArrays: [2] }))), [reinterpreted])
  const written = writeLogs({ updatedArrays: [2], chunks: [[2, [[0]]]] })
  t.strictSame(list(await compare(packed('0.5'), packed('0.1'), written)), [': compatible encoding-changed v'])
  const anew = writeLogs({ deletedArrays: [2], newArrays: [3] })
  t.strictSame(list(await compare(packed('0.5'), packed('0.1', 3), anew)), [': compatible encoding-changed v'])
  t.strictSame(list(await compare(packed('0.5'), packed('0.1', 3))), [': compatible encoding-changed v'])
  t.strictSame(list(await compare(packed('0.5'), packed('0.1'))), [': unknown values-reinterpreted v'])
})

t.test('other chunks and codecs of an array without chunks change no value', async (t) => {
  const nodes = (chunk: number, attributes = '{}') =>
    ({
      '': [1, group()],
      v: [2, array({ attributes }).replace('"chunk_shape":[2]', `"chunk_shape":[${chunk}]`)],
    }) as const
  const log = writeLogs({ updatedArrays: [2] })
  const judge = async (before: Nodes, after: Nodes, logs: LogFiles | undefined, ...chunks: [number[], number[]]) =>
    list(await compare(before, after, logs, '', chunks))
  const compatible = [': compatible encoding-changed v']
  t.strictSame(await judge(nodes(2), nodes(4), log, [], []), compatible)
  t.strictSame(await judge(nodes(2), nodes(4), undefined, [], []), compatible, 'without logs')
  t.strictSame(await judge(nodes(2), nodes(4), log, [1], [1]), [': breaking values-reinterpreted v'])
  t.strictSame(await judge(nodes(2), nodes(4), undefined, [], [1]), [': unknown values-reinterpreted v'])
  // The value of chunks that were never written is decoded too, so that it changes.
  const scaled = (factor: number) => nodes(2, `{"scale_factor":${factor}}`)
  t.strictSame(await judge(scaled(0.5), scaled(0.1), log, [], []), [': breaking values-reinterpreted v'])
})

// Proves: a dimension that grew because its coordinate was rewritten is not called compatible
t.test('a longer dimension is an append if what says its positions was kept, or has times', async (t) => {
  const grown = async (size: number, ids: readonly number[], coordinate: string, attributes = '{}') => {
    const [lat = 2, v = 3] = ids
    const shape = `[${size}]`
    const one = array({ names: `["${coordinate}"]`, shape, attributes })
    return { '': [1, group()], [coordinate]: [lat, one], v: [v, array({ names: `["${coordinate}"]`, shape })] } as Nodes
  }
  const judge = async (ids: readonly number[], coordinate = 'lat', attributes?: string) =>
    list(await compare(await grown(2, [2, 3], coordinate, attributes), await grown(3, ids, coordinate, attributes)))
  t.strictSame(await judge([2, 3]), [': compatible size-grown lat'])
  t.strictSame(await judge([2, 9]), [': compatible size-grown lat'], 'the coordinate remains')
  t.strictSame(await judge([8, 9]), [': unknown size-grown lat'])
  t.strictSame(await judge([8, 3]), [': unknown size-grown lat'])
  for (const attributes of ['{"units":"days since 2000-01-01"}', '{"axis":"T"}', '{"standard_name":"forecast_period"}'])
    t.strictSame(await judge([8, 9], 'time', attributes), [': compatible size-grown time'], attributes)
  const bare = (size: number, id: number) =>
    ({ '': [1, group()], v: [id, array({ names: '["x"]', shape: `[${size}]` })] }) as const
  t.strictSame(list(await compare(bare(2, 2), bare(3, 2))), [': compatible size-grown x'], 'without a coordinate')
  t.strictSame(list(await compare(bare(2, 2), bare(3, 3))), [': unknown size-grown x'])
})

t.test('a child group that no longer fits those above it has a note, also if only a group above changed', async (t) => {
  const tree = (sizes: readonly [root: number, a: number, b: number]) => {
    const [root = '', a = '', b = ''] = sizes.map((size) => array({ shape: `[${size}]` }))
    return {
      '': [1, group()],
      v: [2, root],
      a: [3, group()],
      'a/b': [4, group()],
      'a/b/v': [5, b],
      'a/v': [6, a],
    } as const
  }
  const notes = async (...trees: readonly [ReturnType<typeof tree>, ReturnType<typeof tree>]) =>
    (await compare(...trees)).datasets.flatMap(({ group, verdict, notes }) =>
      notes.map(({ dimension, size, parent, parent_size }) => [group, verdict, dimension, size, parent, parent_size]),
    )
  t.strictSame(await notes(tree([4, 4, 4]), tree([5, 4, 4])), [
    ['a', 'identical', 'x', 4, '', 5],
    ['a/b', 'identical', 'x', 4, '', 5],
  ])
  t.strictSame(await notes(tree([4, 4, 4]), tree([4, 4, 5])), [['a/b', 'compatible', 'x', 5, 'a', 4]])
  t.strictSame(await notes(tree([5, 4, 4]), tree([6, 4, 4])), [], 'what did not fit before has no note')
  t.strictSame(await notes(tree([4, 4, 4]), tree([5, 5, 5])), [])
})

t.test('the worst changes are listed if not all can be, and all are counted', async (t) => {
  const many = (units: string, value: string) => {
    const variables = Array.from({ length: 60 }, (_, index) => {
      const attributes = Array.from({ length: 200 }, (_, number) => `"a${number}":${value}`)
      return [`v${index}`, [3 + index, array({ attributes: `{"units":"${units}",${attributes.join()}}` })]] as const
    })
    return { '': [1, group()], ...Object.fromEntries(variables) } as Nodes
  }
  const answer = await compare(many('K', '1'), many('degC', '2'))
  t.match(answer, { verdict: 'breaking', truncated: true, counts: { changes: { breaking: 60, compatible: 12_000 } } })
  const listed = answer.datasets.flatMap(({ changes }) => changes.map(({ verdict }) => verdict))
  t.equal(listed.length, 10_060)
  t.ok(listed.slice(0, 60).every((verdict) => verdict === 'breaking'))
})

// Proves: breaking changes are listed beside however many unknown ones
t.test('a breaking change is listed beside more unknown ones than there is room for', async (t) => {
  // Another fill value of an array whose chunks nobody knows.
  const fill = (value: number) => array().replace('"fill_value":0', `"fill_value":${value}`)
  const nodes = (value: number, units: string): Nodes => {
    const variables = Array.from({ length: 10_001 }, (_, index) => [`a/v${index}`, [4 + index, fill(value)]] as const)
    return {
      '': [1, group()],
      a: [2, group()],
      ...Object.fromEntries(variables),
      z: [3, group()],
      'z/v': [20_000, array({ attributes: `{"units":"${units}"}` })],
    }
  }
  const answer = await compare(nodes(0, 'K'), nodes(1, 'degC'))
  t.strictSame(answer.counts.changes, { breaking: 1, unknown: 10_001, compatible: 0 })
  t.equal(answer.truncated, true)
  t.equal(list(answer)[0], 'z: breaking units-changed v units')
})

t.test('long values do not displace other changes', async (t) => {
  const long = (character: string) => JSON.stringify(character.repeat(1_500_000))
  const nodes = (units: string, text: string) =>
    ({ '': [1, group(`{"history":${text}}`)], v: [2, array({ attributes: `{"units":"${units}"}` })] }) as const
  t.match(await compare(nodes('K', long('a')), nodes('degC', long('b'))), {
    datasets: [{ group: '', changes: [{ kind: 'units-changed' }] }],
    counts: { changes: { breaking: 1, compatible: 1 } },
    truncated: true,
  })
})

t.test('documents that Floe cannot read because they are too large are unknown', async (t) => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const nodes = (levels: number) =>
    ({ '': [1, group()], v: [2, array({ attributes: `{"a":${deep(levels)}}` })] }) as const
  t.match(await compare(nodes(1), nodes(2_000)), {
    verdict: 'unknown',
    datasets: [{ changes: [{ kind: 'dataset-unreadable', verdict: 'unknown', reason: /levels/ }] }],
  })
})

t.test('an infinite fill value is null, and differs from a finite one', async (t) => {
  const fill = (value: string): Nodes => {
    const document = array({ type: '"float32"', attributes: `{"_FillValue":"${value}"}` })
    const codec = '"name":"bytes","configuration":{"endian":"little"}'
    return { '': [1, group()], x: [2, document.replace('"name":"bytes"', codec)] }
  }
  const [infinite, minusInfinite, zero] = ['AAAAAAAA8H8=', 'AAAAAAAA8P8=', 'AAAAAAAAAAA=']
  const { datasets } = await compare(fill(zero), fill(infinite))
  t.match(datasets[0]?.changes, [{ before: { _FillValue: 0 }, after: { _FillValue: null } }])
  t.equal((await compare(fill(infinite), fill(minusInfinite))).verdict, 'unknown')
})
