// The stored Zarr documents of a node, as Zarr readers take them.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { t } from 'tap'
import { findPython } from '../../find-python.ts'
import { fixtures, startServer } from '../start-server.ts'

const python = findPython('icechunk, zarr')
const program = new URL('read_zarr_documents.py', import.meta.url).pathname

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

// Proves: zarr-python reads every tree through the stored documents as it does through official Icechunk
t.test('zarr-python reads every sample as through official Icechunk', { skip: python.skip }, async (t) => {
  const server = await startServer(t)
  for (const name of await readdir(fixtures)) {
    const address = `${server.publicMeta}/zarr/${name}/main`
    // This one has no root group.
    if (name === 'empty') t.equal((await fetch(`${address}/zarr.json`)).status, 404)
    else {
      const call = [program, address, `${fixtures}${name}`]
      const { stdout } = await promisify(execFile)(python.command, call, { timeout: 300_000, maxBuffer: 10_000_000 })
      const { nodes, refused, at_once, different } = JSON.parse(stdout)
      t.strictSame(different, {}, name)
      t.ok(nodes > 2, `${name} has ${nodes} nodes`)
      // zarr-python opens no group at once that has an array which it refuses.
      if (refused === 0) t.equal(at_once, true, name)
      else t.match(name, /^(reported|types|types-v1)$/)
    }
  }
})

t.test('a chunk is not found, and the answer says where the data are', async (t) => {
  const server = await startServer(t)
  const snapshot = (await server.get('zarr/weather/main/zarr.json')).headers.get('floe-snapshot')
  for (const key of ['wind/speed/eastward/c/0/0/0', 'c/0', '.zgroup', 'wind/.zattrs', 'zarr.json/c/0']) {
    for (const ref of ['main', snapshot]) {
      const answer = await fetch(`${server.publicMeta}/zarr/weather/${ref}/${key}`)
      t.equal(answer.headers.get('access-control-allow-origin'), '*')
      t.match(await answer.json(), { status: 404, detail: /no chunk: open the repository .* at \/open\/weather / }, key)
    }
  }
  t.notMatch((await (await server.get('nowhere/weather/main/c/0')).json()).detail, /chunk/)
})
