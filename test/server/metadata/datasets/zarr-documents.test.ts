// The stored Zarr documents of a node, as Zarr readers take them.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { openRepository, type Snapshot } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import * as zarr from 'zarrita'
import { findPython } from '../../../find-python.ts'
import { fixtures, startServer } from '../../start-server.ts'

const python = findPython('icechunk, zarr')
const program = new URL('read_zarr_documents.py', import.meta.url).pathname

async function readNodes(name: string): Promise<Snapshot['nodes']> {
  const repository = openRepository(openLocalStore(`${fixtures}${name}`))
  const { signal } = new AbortController()
  const { snapshotId } = await repository.resolve('main', signal)
  return (await repository.readSnapshot(snapshotId, signal)).nodes
}

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

t.test('documents have the bytes that are stored', async (t) => {
  const server = await startServer(t)
  const nodes = await readNodes('types')
  const read = async (path: string) =>
    Buffer.from(await (await server.get(`zarr/types/main/${encodeURI(path)}zarr.json`)).arrayBuffer())
  const root = await read('')
  // These have numbers beyond a double, characters beyond ASCII, and consolidated metadata of their own.
  for (const path of ['attributes/infinity/v', 'attributes/unicode/v', 'order/names-of-dimensions/日本']) {
    const document = Buffer.from(nodes.find(path)?.document ?? [])
    t.not(document.length, 0)
    t.ok(root.includes(document), `${path} below a group`)
    t.ok((await read(`${path}/`)).equals(document), path)
  }
  t.match((await read('attributes/infinity/')).toString(), '"b": [-1E400]')
  const group = (await read('attributes/consolidated/')).toString()
  t.equal(group.split('"consolidated_metadata"').length, 2, 'a group has one such member')
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
      const { nodes, refused, at_once, different, rewritten } = JSON.parse(stdout)
      t.strictSame(different, {}, name)
      t.strictSame(rewritten, [], name)
      t.ok(nodes > 2, `${name} has ${nodes} nodes`)
      // zarr-python opens no group at once that has an array which it refuses.
      if (refused === 0) t.equal(at_once, true, name)
      else t.match(name, /^(reported|types|types-v1)$/)
    }
  }
})

/** A node as zarrita understands it, or the class of its refusal. */
async function describeNode(store: zarr.AsyncReadable, path: string) {
  // zarrita takes the path of a location for part of a URL.
  const location = zarr.root(store).resolve(`/${path.split('/').map(encodeURIComponent).join('/')}`)
  try {
    const node = await zarr.open.v3(location)
    const { path: at, attrs } = node
    // zarrita writes consolidated documents again, with texts for numbers beyond a double.
    const texts = (_name: string, value: unknown) => (Math.abs(Number(value)) === Infinity ? String(value) : value)
    return JSON.stringify(
      node instanceof zarr.Group ? { at, attrs } : { at, attrs, shape: node.shape, type: node.dtype },
      texts,
    )
  } catch (error) {
    return error instanceof Error ? error.name : String(error)
  }
}

t.test('zarrita reads every sample with one request, as it reads the stored documents', async (t) => {
  const server = await startServer(t)
  for (const name of (await readdir(fixtures)).filter((name) => name !== 'empty')) {
    let requests = 0
    const documents = new zarr.FetchStore(`${server.publicMeta}/zarr/${name}/main`, {
      fetch: (request) => {
        requests += 1
        return fetch(request)
      },
    })
    const listed = await zarr.withConsolidatedMetadata(documents, { format: 'v3' })
    const nodes = [...(await readNodes(name))]
    const kinds = new Map(listed.contents().map(({ path, kind }) => [path.slice(1), kind]))
    // The document of this one does not say which format it has.
    for (const { path, kind } of nodes) if (path !== 'left-out/zarr_format/w') t.equal(kinds.get(path), kind, path)
    const bytes = new Map(nodes.map(({ path, document }) => [`${path && `/${path}`}/zarr.json`, document]))
    // zarrita only opens shards of a store that has ranges.
    const stored = { get: async (key: string) => bytes.get(key), getRange: async () => undefined }
    for (const { path } of nodes)
      t.equal(await describeNode(listed, path), await describeNode(stored, path), `${name}: ${path}`)
    t.equal(requests, 1, name)
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
