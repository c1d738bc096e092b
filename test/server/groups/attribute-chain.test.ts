import { decodeSnapshot } from '@floe/storage/icechunk'
import { t } from 'tap'
import { AttributeChains } from '../../../server/groups/attribute-chain.ts'
import { buildId, buildNode, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'

t.test('groups after each other share the attributes of their parents, which are parsed once', async (t) => {
  const paths = ['/', '/a', '/a/b', '/a/b/c', '/a/d', '/e']
  const write = (path: string) => JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: { title: path } })
  const id = buildId(1)
  const bytes = buildSnapshot({ id, nodes: paths.map((path) => buildNode(path, 2, write(path))) })
  const snapshot = await decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id)
  const chains = new AttributeChains(snapshot, undefined)
  const read = (group: string) => {
    const chain = chains.read(group)
    t.strictSame(chain, new AttributeChains(snapshot, undefined).read(group), group)
    t.strictSame(chains.readAbove(group), chain.slice(1), group)
    return chain
  }
  t.strictSame(
    read('a/b/c').map((attributes) => attributes.get('title')),
    ['/a/b/c', '/a/b', '/a', '/'],
  )
  const [, ofA, root] = read('a/d')
  t.equal(read('a')[0], ofA)
  t.equal(read('e')[1], root)
  t.equal(read('')[0], root)
  const described = new AttributeChains(snapshot, undefined, '{"title":"repository"}')
  t.strictSame(
    described.read('a').map((attributes) => attributes.get('title')),
    ['/a', '/', 'repository'],
  )
  t.strictSame(described.readAbove(''), [new Map([['title', 'repository']])])
})
