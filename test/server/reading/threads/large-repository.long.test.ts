import { t } from 'tap'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { startServer } from '../../start-server.ts'

const head = buildId(1)
const groups = 20_000
const arraysInGroup = 5

const group = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} })

/** The document of an array, with attributes as real ones have them. */
const array = JSON.stringify({
  zarr_format: 3,
  node_type: 'array',
  shape: [8760, 721, 1440],
  data_type: 'float32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [24, 181, 360] } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  fill_value: 'NaN',
  codecs: [
    { name: 'bytes', configuration: { endian: 'little' } },
    { name: 'zstd', configuration: { level: 3 } },
  ],
  dimension_names: ['time', 'latitude', 'longitude'],
  attributes: { long_name: 'a variable of a model', units: 'K', description: 'text '.repeat(70) },
})

t.test('a sound repository of 120,000 nodes is served with the default limits', async (t) => {
  t.ok(array.length * groups * arraysInGroup > 70_000_000, 'the documents of its arrays have 70 MB')
  const nodes = [buildNode('/', 2, group)]
  for (let number = 0; number < groups; number++) {
    const path = `/g${String(number).padStart(5, '0')}`
    nodes.push(buildNode(path, 2, group))
    for (let index = 0; index < arraysInGroup; index++) nodes.push(buildNode(`${path}/a${index}`, 1, array))
  }
  const snapshot = buildSnapshot({ id: head, nodes })
  const store = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${head}`, snapshot],
  ])
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'large', store }] })
  const info = await server.get('datasets/large/main/g19999/info')
  t.equal(info.status, 200)
  t.match(Object.keys((await info.json()).variables), { length: arraysInGroup })
  const datasets = await server.get('discovery/large/main')
  t.match(await datasets.json(), { length: groups })
})
