import fc from 'fast-check'
import { t } from 'tap'
import { defaultLimits, findGroupNodes, type Node, writeGroupNodes } from '../../../../storage/icechunk/index.ts'
import { isNamedRefusal, matchDamage, matchExcess } from '../match-damage.ts'
import { propertyRuns } from '../../../property-runs.ts'

const group = (path: string, document = '{}'): Node => ({ path, kind: 'group', document: Buffer.from(document) })
const array = (path: string): Node => ({ path, kind: 'array', document: Buffer.from(`{"array":"${path}"}`) })

const records = Buffer.concat([
  writeGroupNodes(group('', '{"root":1}'), [group('a'), array('x')]),
  writeGroupNodes(group('a'), []),
  writeGroupNodes(group('größe'), [array('größe/😀')]),
])

function find(bytes: Uint8Array, path: string, limits = {}) {
  return findGroupNodes({ repository: 'memory', key: 'groups', bytes }, path, { ...defaultLimits, ...limits })
}

t.test('the record of a group has its node and what lies directly in it', async (t) => {
  const root = find(records, '')
  t.match(root?.find(''), { kind: 'group', document: Buffer.from('{"root":1}') })
  t.match(root?.listChildren(''), [
    { path: 'a', kind: 'group' },
    { path: 'x', kind: 'array', document: Buffer.from('{"array":"x"}') },
  ])
  t.equal(find(records, 'a')?.length, 1)
  t.match(find(records, 'größe')?.listChildren('größe'), [{ path: 'größe/😀' }])
  t.equal(find(records, 'x'), undefined)
  t.equal(find(Buffer.alloc(0), ''), undefined)
})

t.test('records are checked like objects', async (t) => {
  t.throws(() => find(records, '', { maxNodes: 2 }), matchExcess('maxNodes'))
  t.throws(() => find(records, '', { maxInflatedBytes: 20 }), matchExcess('maxInflatedBytes'))
  t.throws(() => find(records, 'größe', { maxPathDepth: 1 }), matchExcess('maxPathDepth'))
  t.throws(() => find(writeGroupNodes(group('a/../b'), []), 'a/../b'), matchDamage(/is not the path of a node/))
  t.throws(
    () => find(writeGroupNodes(group('a'), [array('b'), array('b')]), 'a'),
    matchDamage('node "b" is listed twice'),
  )
  for (let length = 1; length < records.length; length++) {
    try {
      find(records.subarray(0, length), 'größe')
    } catch (error) {
      t.ok(isNamedRefusal(error), `cut after ${length} bytes`)
    }
  }
})

t.test('any bytes give nodes or a named error', (t) => {
  const patch = fc.uint8Array({ minLength: 1, maxLength: 4 })
  const path = fc.constantFrom('', 'a', 'größe')
  fc.assert(
    fc.property(fc.nat(records.length - 1), patch, path, (position, bytes, path) => {
      const copy = Buffer.from(records)
      copy.set(bytes.subarray(0, copy.length - position), position)
      try {
        const nodes = find(copy, path)
        return nodes === undefined || [...nodes].length === nodes.length
      } catch (error) {
        return isNamedRefusal(error)
      }
    }),
    { numRuns: propertyRuns(3_000) },
  )
  t.end()
})
