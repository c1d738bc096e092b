import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { openEnvelope } from '../../../../../storage/repositories/icechunk/format/envelope.ts'
import { readSnapshot } from '../../../../../storage/repositories/icechunk/format/snapshot/read-snapshot.ts'
import { DamagedObjectError, defaultLimits } from '../../../../../storage/repositories/icechunk/index.ts'
import { buildId, buildNode, buildSnapshot } from '../build-object.ts'
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
