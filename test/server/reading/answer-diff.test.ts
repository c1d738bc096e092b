import { Diff } from '@floe/contract'
import { decodeSnapshot, defaultLimits, type LogFiles } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { t } from 'tap'
import { answerDiff } from '../../../server/reading/questions/answer-diff.ts'
import { buildLog, buildNodeId, type LogDescription } from '../../storage/repositories/icechunk/build-log.ts'
import { buildId, buildNode, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'

/** Nodes by path: the number of the id, and the document, which makes it an array unless it is a group's. */
type Nodes = Readonly<Record<string, readonly [id: number, document: string]>>

const group = (attributes = '{}', more = '') =>
  `{"zarr_format":3,"node_type":"group","attributes":${attributes}${more}}`

const array = ({ shape = '[4]', chunks = '[2]', attributes = '{}', codecs = '[{"name":"bytes"}]', more = '' } = {}) =>
  `{"zarr_format":3,"node_type":"array","shape":${shape},"data_type":"int8","fill_value":0,"codecs":${codecs},` +
  `"chunk_grid":{"name":"regular","configuration":{"chunk_shape":${chunks}}},"attributes":${attributes}${more}}`

async function build(number: number, nodes: Nodes) {
  const id = buildId(number)
  const described = Object.entries(nodes).map(([path, [nodeId, document]]) =>
    buildNode(`/${path}`, document.includes('"array"') ? 1 : 2, document, nodeId < 0 ? undefined : buildNodeId(nodeId)),
  )
  const bytes = buildSnapshot({ id, nodes: described })
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
}

const writeLogs = (...logs: readonly LogDescription[]): LogFiles => ({
  kind: 'logs',
  files: logs.map((log) => ({ repository: 'memory', key: `transactions/${buildId(1)}`, bytes: buildLog(log) })),
})

async function answerText(before: Nodes, after: Nodes, logs: LogFiles, cancellation?: Cancellation): Promise<string> {
  const [one, other] = [await build(1, before), await build(2, after)]
  const body = await answerDiff(
    { before: one, after: other, logs },
    { kind: 'diff', group: '', from: one.id },
    defaultLimits,
    cancellation,
  )
  return Buffer.from(body).toString()
}

async function answer(before: Nodes, after: Nodes, logs: LogFiles = { kind: 'not-an-ancestor' }): Promise<Diff> {
  return Diff.parse(JSON.parse(await answerText(before, after, logs)))
}

/** What two documents of one array differ in, as text. */
async function compareText(before: string, after: string): Promise<string> {
  const text = await answerText({ a: [1, before] }, { a: [1, after] }, { kind: 'not-an-ancestor' })
  return text.slice(text.indexOf('"updated":[', text.indexOf('"arrays"')) + 11, text.indexOf('"moved"') - 3)
}

t.test('the paths of logged nodes are those afterwards, or else those before', async (t) => {
  const before = { '': [1, group()], gone: [2, array()], 'old name': [3, array()] } as const
  const after = { '': [1, group()], 'new name': [3, array()], added: [4, group()] } as const
  const changes = await answer(
    before,
    after,
    writeLogs(
      { newGroups: [4, 9], updatedArrays: [2, 3, 8], moves: [['/old name', '/new name']], chunks: [[9, [[0]]]] },
      {
        deletedArrays: [2, 8],
        chunks: [
          [3, [[0], [1]]],
          [2, [[0]]],
        ],
      },
    ),
  )
  t.match(changes, {
    from_snapshot_id: buildId(1),
    to_snapshot_id: buildId(2),
    groups: { created: ['added'], deleted: [], updated: [] },
    arrays: { created: [], deleted: ['gone'], updated: [{ path: 'gone' }, { path: 'new name' }] },
    moved: [{ from: 'old name', to: 'new name' }],
    chunks: [
      { path: 'gone', count: 1 },
      { path: 'new name', count: 2 },
    ],
    counts: { groups: { created: 1, deleted: 0, updated: 0 }, arrays: { updated: 2 }, moved: 1, chunks: 2 },
  })
})

t.test('a node that replaced another one at its path is compared with it, and its chunks alone count', async (t) => {
  const before = { a: [1, array()], same: [3, array()], other: [5, array()] } as const
  const after = { a: [2, array({ shape: '[5]' })], same: [4, array()], other: [6, group()] } as const
  const log = {
    deletedArrays: [1, 3, 5],
    newArrays: [2, 4],
    newGroups: [6],
    updatedArrays: [1, 2],
    chunks: [
      [1, [[0], [1]]],
      [2, [[0]]],
      [3, [[0]]],
    ],
  } as const
  const replaced = { path: 'a', replaced: true, shape: [[4], [5]] }
  for (const logs of [writeLogs(log), { kind: 'missing' } as const]) {
    const { arrays, groups, chunks, counts } = await answer(before, after, logs)
    t.strictSame(arrays, { created: [], deleted: ['other'], updated: [replaced, { path: 'same', replaced: true }] })
    t.strictSame(groups, { created: ['other'], deleted: [], updated: [] }, 'a group is not compared with an array')
    t.strictSame(counts.arrays, { created: 0, deleted: 1, updated: 2 })
    if (logs.kind === 'logs') t.strictSame(chunks, [{ path: 'a', count: 1, before: null, after: null }])
  }
})

t.test('a moved node is compared with the one whose path it has now, and so is one at its old path', async (t) => {
  const [k, m] = [array({ attributes: '{"u":"K"}' }), array({ attributes: '{"u":"m"}' })]
  const describe = (path: string, old: string, value: string) => ({
    path,
    replaced: true,
    attributes: { created: {}, deleted: {}, updated: { u: [old, value] } },
  })
  const cases = {
    'a new node at the old path': {
      nodes: [{ a: [1, k] }, { a: [2, m], b: [1, k] }],
      log: { newArrays: [2], moves: [['/a', '/b']] },
      arrays: { created: [], deleted: [], updated: [describe('a', 'K', 'm')] },
      moved: [{ from: 'a', to: 'b' }],
    },
    'a path that was taken from a deleted node': {
      nodes: [{ a: [1, k], b: [2, m] }, { b: [1, k] }],
      log: { deletedArrays: [2], moves: [['/a', '/b']] },
      arrays: { created: [], deleted: [], updated: [describe('b', 'm', 'K')] },
      moved: [{ from: 'a', to: 'b' }],
    },
    'exchanged paths': {
      nodes: [
        { a: [1, k], b: [2, m] },
        { a: [2, m], b: [1, k] },
      ],
      log: {
        moves: [
          ['/a', '/c'],
          ['/b', '/a'],
          ['/c', '/b'],
        ],
      },
      arrays: { created: [], deleted: [], updated: [describe('a', 'K', 'm'), describe('b', 'm', 'K')] },
      moved: [
        { from: 'b', to: 'a' },
        { from: 'a', to: 'b' },
      ],
    },
  } as const
  for (const [what, { nodes, log, arrays, moved }] of Object.entries(cases)) {
    const [before, after] = nodes
    const logged = await answer(before, after, writeLogs(log))
    t.strictSame(logged.arrays, arrays, what)
    t.equal(logged.moved.length, log.moves.length)
    t.match(await answer(before, after), { arrays, moved }, `${what}, without logs`)
  }
})

t.test('paths are sorted by their UTF-8 bytes', async (t) => {
  const paths = ['', 'Z', 'a', 'a-b', 'a/b', 'ä', '\uFFFD', '\u{1F600}']
  const nodes = Object.fromEntries(paths.map((path, index) => [path, [index, group()] as const]))
  const ids = paths.map((_, index) => index).reverse()
  t.strictSame((await answer({}, nodes)).groups.created, paths)
  t.strictSame((await answer(nodes, {})).groups.deleted, paths)
  t.strictSame((await answer(nodes, {}, writeLogs({ deletedGroups: ids }))).groups.deleted, paths)
  const [half, rest] = [paths.filter((_, index) => index % 2 === 0), paths.filter((_, index) => index % 2 === 1)]
  const pick = (some: readonly string[]) =>
    Object.fromEntries(some.map((path) => [path, nodes[path] ?? ([0, ''] as const)]))
  const merged = await answer(pick(half), pick(rest), writeLogs({ updatedGroups: ids }))
  t.strictSame(
    merged.groups.updated.map(({ path }) => path),
    paths,
  )
})

// Proves: an updated node shows its differences, with numbers as they are stored
t.test('only what differs is listed, with numbers as they are stored', async (t) => {
  const cases: Readonly<Record<string, readonly [before: string, after: string, changes: string]>> = {
    'white space': [array(), ` ${array()} `, ''],
    shape: [array(), array({ shape: '[5]' }), ',"shape":[[4],[5]]'],
    'kinds of numbers': [
      array({ attributes: '{"a":1,"b":[1,2.50]}' }),
      array({ attributes: '{"a":1.0,"b":[1,2.5]}' }),
      ',"attributes":{"created":{},"deleted":{},"updated":{"a":[1,1.0]}}',
    ],
    'large numbers': [
      array({ attributes: '{"a":9007199254740993}' }),
      array({ attributes: '{"a":9007199254740992}' }),
      ',"attributes":{"created":{},"deleted":{},"updated":{"a":[9007199254740993,9007199254740992]}}',
    ],
    'attributes of any kind': [
      array({ attributes: '{"gone":{"a":[]},"2":null,"same":{"a":1,"b":2},"n":{"x":[1]}}' }),
      array({ attributes: '{"same":{"b":2,"a":1},"2":false,"new":"ü","n":{"x":[1,null]}}' }),
      ',"attributes":{"created":{"new":"\\u00fc"},"deleted":{"gone":{"a":[]}},' +
        '"updated":{"2":[null,false],"n":[{"x":[1]},{"x":[1,null]}]}}',
    ],
    'names of the prototype': [
      array({ attributes: '{"a":1}' }),
      array({ attributes: '{"a":1,"__proto__":2,"constructor":3}' }),
      ',"attributes":{"created":{"__proto__":2,"constructor":3},"deleted":{},"updated":{}}',
    ],
    'a value that becomes null': [
      array({ attributes: '{"a":1}' }),
      array({ attributes: '{"a":null}' }),
      ',"attributes":{"created":{},"deleted":{},"updated":{"a":[1,null]}}',
    ],
    chunks: [array(), array({ chunks: '[1]' }), ',"chunk_shape":[[2],[1]]'],
    shards: [
      array(),
      array({ codecs: '[{"name":"sharding_indexed","configuration":{"chunk_shape":[1]}}]' }),
      ',"codecs":[[{"name":"bytes"}],[{"name":"sharding_indexed","configuration":{"chunk_shape":[1]}}]],' +
        '"chunk_shape":[[2],[1]],"shard_shape":[null,[2]]',
    ],
    'names of dimensions': [array(), array({ more: ',"dimension_names":["x"]' }), ',"dimension_names":[null,["x"]]'],
    'another member': [array(), array({ more: ',"note":{"a":1}' }), ',"other":{"note":[null,{"a":1}]}'],
    'what cannot be read': [
      array(),
      array({ shape: '"4"' }),
      ',"unreadable":"invalid zarr.json: \\"shape\\" is not a list"',
    ],
    'no JSON': [array(), '{"array"', ',"unreadable":"invalid zarr.json: not JSON at character 8: unexpected end"'],
  }
  for (const [what, [before, after, changes]] of Object.entries(cases))
    t.equal(await compareText(before, after), `{"path":"a"${changes}}`, what)
})

t.test('the documents of groups are compared without consolidated metadata', async (t) => {
  const before = { '': [1, group('{"a":1}', ',"consolidated_metadata":{"metadata":{}},"x":1')] } as const
  const after = { '': [1, group('{}', ',"x":2')] } as const
  t.strictSame((await answer(before, after)).groups.updated, [
    { path: '', attributes: { created: {}, deleted: { a: 1 }, updated: {} }, other: { x: [1, 2] } },
  ])
})

// Proves: counts include the entries that are not listed
t.test('10,000 entries are listed, and the counts are those of all', async (t) => {
  const documents = Array.from(
    { length: 255 },
    (_, id) => [`n${String(id).padStart(3, '0')}`, [id, array()] as const] as const,
  )
  const many = Object.fromEntries(documents)
  const moves = Array.from({ length: 10_100 }, (_, index) => ['/a', `/b${index}`] as const)
  const log = { deletedArrays: documents.map(([, [id]]) => id), moves, chunks: [[1, [[0]]] as const] }
  const cut = await answer(many, {}, writeLogs(log))
  t.match(cut, { truncated: true, counts: { arrays: { deleted: 255 }, moved: 10_100, chunks: 1 }, chunks: [] })
  t.equal(cut.arrays.deleted.length + cut.moved.length, 10_000)
  const whole = await answer(many, {}, writeLogs({ ...log, moves: moves.slice(0, 10_000 - 256) }))
  t.match(whole, { truncated: false, chunks: [{ path: 'n001' }] })
})

t.test('an answer of 16 MiB lists no further entries', async (t) => {
  const text = 'x'.repeat(1_000_000)
  const nodes = (letter: string): Nodes =>
    Object.fromEntries(
      Array.from({ length: 12 }, (_, id) => [`a${id}`, [id, array({ attributes: `{"a":"${letter}${text}"}` })]]),
    )
  const { arrays, counts, truncated } = await answer(nodes('a'), nodes('b'))
  t.strictSame([arrays.updated.length, counts.arrays.updated, truncated], [9, 12, true])
})

t.test('a node without an id is damage', async (t) => {
  await t.rejects(answer({ a: [-1, group()] }, {}), {
    name: 'RequestProblem',
    code: 'damaged-repository',
    message: `a node of snapshot ${buildId(1)} has no id`,
  })
})

t.test('work on an answer ends at whichever check finds that all callers have left', async (t) => {
  const nodes = (attributes: string): Nodes => ({ '': [1, group(attributes)], a: [2, array({ attributes })] })
  const [before, after] = [nodes('{"a":[{}]}'), nodes('{"a":[[]]}')]
  for (const logs of [writeLogs({ updatedGroups: [1], updatedArrays: [2] }), { kind: 'missing' } as const]) {
    let checks = 0
    await answerText(before, after, logs, { throwIfAborted: () => void checks++ })
    t.ok(checks > 3)
    for (let allowed = 0; allowed < checks; allowed++) {
      let left = allowed
      const throwIfAborted = () => {
        if (left-- === 0) throw new Error('cancelled')
      }
      await t.rejects(answerText(before, after, logs, { throwIfAborted }), { message: 'cancelled' })
    }
  }
})
