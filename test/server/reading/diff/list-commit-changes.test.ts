import type { CommitChanges } from '@floe/contract'
import { decodeSnapshot, defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { answerDiff } from '../../../../server/reading/questions/answer-diff.ts'
import { buildLog, buildNodeId, type LogDescription } from '../../../storage/repositories/icechunk/build-log.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'

/** Nodes by path: the number of the id, and the document. */
type Nodes = Readonly<Record<string, readonly [id: number, document: string]>>

const group = '{"zarr_format":3,"node_type":"group","attributes":{}}'

const array = ({ shape = '[4]', attributes = '{}', type = 'int8' } = {}) =>
  `{"zarr_format":3,"node_type":"array","shape":${shape},"data_type":"${type}","fill_value":0,"codecs":[{"name":"bytes"}],` +
  `"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"attributes":${attributes}}`

function build(number: number, nodes: Nodes) {
  const id = buildId(number)
  const described = Object.entries(nodes).map(([path, [nodeId, document]]) =>
    buildNode(`/${path}`, document.includes('"array"') ? 1 : 2, document, buildNodeId(nodeId)),
  )
  const bytes = buildSnapshot({ id, nodes: described })
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
}

/** What a commit with this log did to the paths; without a log, it is missing. */
async function list(path: string, before: Nodes, after: Nodes, log?: LogDescription): Promise<CommitChanges> {
  const [earlier, later] = [await build(1, before), await build(2, after)]
  const logs =
    log === undefined
      ? ({ kind: 'missing' } as const)
      : ({
          kind: 'logs',
          files: [{ repository: 'memory', key: `transactions/${buildId(1)}`, bytes: buildLog(log) }],
        } as const)
  const question = { kind: 'commit-changes', from: earlier.id, path } as const
  const body = await answerDiff({ before: earlier, after: later, logs }, question, defaultLimits)
  return JSON.parse(body.toString()) as CommitChanges // written from a value of this type
}

const show = ({ nodes }: CommitChanges) =>
  Object.fromEntries(nodes.map(({ path, changes, chunks }) => [path, [...changes, ...(chunks ? [chunks] : [])]]))

t.test('each kind of change has its word', async (t) => {
  const before = {
    '': [1, group],
    attributes: [2, array()],
    gone: [3, array()],
    replaced: [4, array()],
    resized: [5, array()],
    retyped: [6, array()],
    rewritten: [7, array()],
    turned: [8, array()],
    written: [9, array()],
    untouched: [10, array()],
  } as const
  const { gone: _, ...kept } = before
  const after = {
    ...kept,
    attributes: [2, array({ attributes: '{"units":"K"}' })],
    fresh: [11, array()],
    replaced: [12, array({ shape: '[5]' })],
    resized: [5, array({ shape: '[5]', attributes: '{"units":"K"}' })],
    retyped: [6, array({ type: 'int16' })],
    turned: [13, group],
  } as const
  const log = {
    newArrays: [11, 12],
    newGroups: [13],
    deletedArrays: [3, 4, 8],
    updatedArrays: [2, 5, 6, 7, 11],
    chunks: [
      [9, [[0], [1]]],
      [11, [[0]]],
    ],
  } as const
  t.strictSame(show(await list('**', before, after, log)), {
    attributes: ['attributes'],
    fresh: ['created', 'chunks', 1],
    gone: ['deleted'],
    replaced: ['replaced', 'shape'],
    resized: ['shape', 'attributes'],
    retyped: ['updated'],
    rewritten: ['updated'],
    turned: ['created', 'deleted'],
    written: ['chunks', 2],
  })
})

t.test('a moved node is found by both of its paths, and so is what moved with its group', async (t) => {
  const before = { '': [1, group], old: [2, group], 'old/a': [3, array()] } as const
  const after = { '': [1, group], new: [2, group], 'new/a': [3, array()] } as const
  const log = { moves: [['/old', '/new']] } as const
  for (const path of ['old/a', 'new/a']) {
    const { nodes } = await list(path, before, after, log)
    t.strictSame(nodes, [{ path: 'new/a', changes: ['moved'], chunks: 0, moved_from: 'old/a' }], path)
  }
  t.equal((await list('**', before, after, log)).count, 2)
})

t.test('a pattern matches only its paths', async (t) => {
  const before = { '': [1, group], a: [2, array()], 'a-b': [3, array()], 'b/c': [4, array()] } as const
  const log = { updatedArrays: [2, 3, 4] }
  for (const [path, expected] of [
    ['a', ['a']],
    ['a*', ['a', 'a-b']],
    ['*', ['a', 'a-b']],
    ['b/**', ['b/c']],
    ['z', []],
  ] as const)
    t.strictSame(Object.keys(show(await list(path, before, before, log))), expected, path)
})

t.test('without its log, the snapshots show what they can, and the chunks are unknown', async (t) => {
  const before = { '': [1, group], a: [2, array()] } as const
  const after = { '': [1, group], a: [2, array({ shape: '[5]' })] } as const
  t.strictSame(await list('a', before, after), {
    nodes: [{ path: 'a', changes: ['shape'], chunks: null, moved_from: null }],
    count: 1,
    unknown_reason: 'transaction_log_missing',
  })
})

t.test('a list ends after 500 nodes, and the number of all stays', async (t) => {
  const nodes = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`a${index + 1_000}`, [index + 2, array()]] as const),
  )
  const all = { '': [1, group], ...nodes } as const
  const changes = await list('*', all, all, { updatedArrays: Object.values(nodes).map(([id]) => id) })
  t.strictSame([changes.nodes.length, changes.count], [500, 600])
})
