import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { openEnvelope } from '../../../../../storage/repositories/icechunk/format/envelope.ts'
import { readSnapshot } from '../../../../../storage/repositories/icechunk/format/snapshot/read-snapshot.ts'
import { DamagedObjectError, defaultLimits } from '../../../../../storage/repositories/icechunk/index.ts'
import { anyDamage, readsOrRefuses } from '../any-damage.ts'
import { buildId, buildNode, buildObject, buildSnapshot, type TableDescription } from '../build-object.ts'
import { matchDamage } from '../match-damage.ts'
import { checkProperty } from '../../../../check-property.ts'

type Kind = 'group' | 'array'

/** The nodes of a snapshot that stores them in this order. */
async function listNodes(nodes: Iterable<readonly [path: string, kind: Kind]>) {
  const bytes = buildSnapshot({
    nodes: [...nodes].map(([path, kind]) => buildNode(`/${path}`, kind === 'array' ? 1 : 2, `"${path}"`)),
  })
  const envelope = await openEnvelope({ repository: '', key: '', bytes }, 'snapshot', defaultLimits)
  return readSnapshot(envelope, buildId(1), defaultLimits).nodes
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function readParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

const name = fc.constantFrom('a', 'b', 'a-b', 'a0', 'A', 'ä', '\u{1F600}', '\uFFFD', '...', ' ')
const path = fc.oneof(
  fc.constant(''),
  fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
)
const kind = fc.constantFrom<Kind>('group', 'array')

t.test('a path is read or refused in the same way whatever the path before it', async () => {
  const piece = fc.constantFrom('/', '.', 'a', 'é')
  const stored = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
  const read = async (...paths: readonly string[]) => {
    try {
      return [...(await listNodes(paths.map((path) => [path, 'group'])))].map((node) => node.path)
    } catch (error) {
      return error instanceof DamagedObjectError ? error.message : Promise.reject(error)
    }
  }
  await checkProperty(
    2_000,
    fc.asyncProperty(stored, stored, stored, async (shared, end, otherEnd) => {
      const [first, second] = [shared + end, shared + otherEnd]
      fc.pre(first !== second)
      const [alone, together] = [[await read(first), await read(second)], await read(first, second)]
      const refusal = alone.find((result) => typeof result === 'string')
      assert.deepEqual(together, refusal ?? alone.flat().sort(compareBytes))
    }),
  )
})

t.test('nodes in any order are found, listed and counted', async () => {
  await checkProperty(
    300,
    fc.asyncProperty(fc.array(fc.tuple(path, kind), { maxLength: 40 }), fc.array(path), async (described, others) => {
      const expected = new Map(described)
      const nodes = await listNodes(expected)
      const paths = [...expected.keys()].sort(compareBytes)
      assert.deepEqual(
        [...nodes].map((node) => node.path),
        paths,
      )
      for (const asked of [...paths, ...others]) {
        const node = nodes.find(asked)
        assert.equal(node?.kind, expected.get(asked))
        assert.equal(node && Buffer.from(node.document).toString(), expected.has(asked) ? `"${asked}"` : undefined)
        const children = paths.filter((path) => path !== '' && readParent(path) === asked)
        assert.deepEqual(
          nodes.listChildren(asked).map((child) => child.path),
          children,
        )
        const arrays = children.filter((path) => expected.get(path) === 'array').length
        assert.deepEqual(nodes.countChildren(asked), { arrays, groups: children.length - arrays })
      }
      const parents = paths.filter((path) => path !== '' && expected.get(path) === 'array').map(readParent)
      const groups = parents.filter((path) => expected.get(path) === 'group')
      // No array, and no missing node.
      assert.deepEqual(nodes.listParentsOfArrays(), [...new Set(groups)].sort(compareBytes))
    }),
  )
})

t.test('a path with an extra slash or a lone surrogate names no node', async (t) => {
  const nodes = await listNodes([
    ['\uFFFD', 'group'],
    ['\uFFFD/a', 'array'],
  ])
  for (const path of ['\uD800', '/\uFFFD']) t.equal(nodes.find(path), undefined)
  t.strictSame(nodes.listChildren('\uD800'), [])
  t.ok(nodes.find('\uFFFD'))
})

/** So many that nodes are read when they are asked for. */
const filling = Array.from({ length: 12_000 }, (_, index) => buildNode(`/m/${String(index).padStart(5, '0')}`))

/** A snapshot with many nodes between those before and after `/m`. */
function buildLarge(before: readonly TableDescription[], after: readonly TableDescription[]) {
  return buildSnapshot({ nodes: [...before, ...filling, ...after] })
}

async function openLarge(bytes: Uint8Array) {
  const envelope = await openEnvelope({ repository: '', key: '', bytes }, 'snapshot', defaultLimits)
  return () => readSnapshot(envelope, buildId(1), defaultLimits).nodes
}

t.test('a group of a large snapshot is found, listed and counted as if all nodes were read', async () => {
  const sorted = (nodes: readonly (readonly [path: string, kind: Kind])[]) =>
    [...new Map(nodes)].sort(([a], [b]) => compareBytes(`/${a}`, `/${b}`))
  await checkProperty(
    15,
    fc.asyncProperty(fc.array(fc.tuple(path, kind), { maxLength: 12 }), path, async (described, other) => {
      const nodes = sorted(described)
      const build = ([path, kind]: readonly [string, Kind]) => buildNode(`/${path}`, kind === 'array' ? 1 : 2)
      const isBefore = ([path]: readonly [string, Kind]) => compareBytes(path, 'm') < 0
      const read = await openLarge(
        buildLarge(
          nodes.filter((node) => isBefore(node)).map(build),
          nodes.filter((node) => !isBefore(node)).map(build),
        ),
      )
      const all = read()
      assert.equal(all.length, nodes.length + filling.length)
      const some = read()
      for (const asked of [...nodes.map(([path]) => path), other, 'm/00777', 'm/11999']) {
        for (const list of [read(), some]) {
          assert.deepEqual(list.listChildren(asked), all.listChildren(asked))
          assert.deepEqual(list.countChildren(asked), all.countChildren(asked))
          assert.deepEqual(list.find(asked), all.find(asked))
        }
      }
    }),
  )
})

t.test('the order of a large snapshot is noticed near the nodes that somebody asks for', async (t) => {
  const before = ['/', '/b', '/b/y', '/b/x', '/a', '/a//b'].map((path) => buildNode(path))
  const read = await openLarge(buildLarge(before, []))
  t.equal(read().find('a')?.path, 'a')
  t.strictSame(
    read()
      .listChildren('b')
      .map(({ path }) => path),
    ['b/x', 'b/y'],
  )
  const twice = await openLarge(buildLarge([buildNode('/'), buildNode('/a'), buildNode('/a')], []))
  t.throws(() => twice().find('a'), matchDamage('node "a" is listed twice'))
})

t.test('a damaged node of a large snapshot spoils questions about it, about all nodes and about none', async (t) => {
  const damaged: TableDescription = [undefined, { text: '/z' }, { blob: Buffer.from('{}') }, { u8: 3 }]
  const read = await openLarge(
    buildLarge(
      ['/', '/a', '/a/b'].map((path) => buildNode(path)),
      [damaged],
    ),
  )
  const nodes = read()
  const refusal = matchDamage('a node is neither array nor group but 3')
  for (let times = 0; times < 2; times++) {
    t.equal(nodes.find('a')?.path, 'a')
    t.strictSame(nodes.countChildren('a'), { arrays: 0, groups: 1 })
    t.throws(() => nodes.find('z'), refusal)
    t.throws(() => nodes.find('a/missing'), refusal)
    t.throws(() => nodes.length, refusal)
    t.throws(() => nodes.listParentsOfArrays(), refusal)
    t.throws(() => nodes.findIndex('a'), refusal)
    t.throws(() => nodes.findBelow('a'), refusal)
    t.throws(() => [...nodes.walkChildren('a')], refusal)
    t.throws(() => [...nodes], refusal)
  }
})

t.test('a large snapshot that is damaged anywhere gives an answer or a named error', async () => {
  const { payload } = await openEnvelope(
    { repository: '', key: '', bytes: buildLarge([buildNode('/'), buildNode('/a', 1)], [buildNode('/z')]) },
    'snapshot',
    defaultLimits,
  )
  const ask = async (damaged: Uint8Array) => {
    const read = await openLarge(buildObject(damaged, { compression: 0 }))
    const nodes = read()
    for (const path of ['', 'a', 'm/00500', 'm/11998/a', 'z']) {
      nodes.listChildren(path)
      nodes.find(path)
    }
  }
  await checkProperty(100, fc.asyncProperty(anyDamage(payload), readsOrRefuses(ask)))
})
