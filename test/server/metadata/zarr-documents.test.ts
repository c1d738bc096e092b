// The stored Zarr documents of a node, as Zarr readers take them.
import { t } from 'tap'
import { startServer } from '../start-server.ts'

t.test('a group is answered with its document and those of all nodes below it', async (t) => {
  const server = await startServer(t)
  const read = async (path: string) => {
    const response = await server.get(`zarr/weather/main${path}/zarr.json`)
    t.equal(response.status, 200, path)
    t.match(response.headers.get('content-type'), 'application/json')
    return response.json()
  }
  const root = await read('')
  t.match(root, {
    zarr_format: 3,
    node_type: 'group',
    consolidated_metadata: { kind: 'inline', must_understand: false },
  })
  const wind = await read('/wind')
  const speed = await read('/wind/speed')
  const { consolidated_metadata, ...own } = speed
  t.strictSame(root.consolidated_metadata.metadata['wind/speed'], own)
  t.strictSame(wind.consolidated_metadata.metadata['speed'], own)
  const [name = '', array] = Object.entries(consolidated_metadata.metadata)[0] ?? []
  t.match(array, { node_type: 'array', shape: Array, codecs: Array, chunk_grid: Object })
  t.strictSame(await read(`/wind/speed/${name}`), array, 'an array has its own document')
  const { length } = Object.keys(root.consolidated_metadata.metadata)
  t.ok(length > Object.keys(wind.consolidated_metadata.metadata).length)
})

t.test('at a snapshot it never changes, and what is no node is not found', async (t) => {
  const server = await startServer(t)
  const { headers } = await server.get('zarr/weather/main/zarr.json')
  const id = headers.get('floe-snapshot')
  const fixed = await fetch(`${server.publicMeta}/zarr/weather/${id}/wind/zarr.json`)
  t.match(fixed.headers.get('cache-control'), /immutable/)
  t.equal(fixed.headers.get('access-control-allow-origin'), '*')
  const missing = await server.get('zarr/weather/main/nowhere/zarr.json')
  t.match(await missing.json(), { status: 404, type: '/problems/group-not-found' })
})
