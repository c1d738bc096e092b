// Runs the code of a page unchanged: of a repository whose operator publishes how to open it, and of one with virtual
// chunks, for an administrator, who sees its location.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Citation } from '@floe/contract'
import { t } from 'tap'
import { openLocalStore } from '@floe/storage/objects'
import { StorageTemplate } from '../../../../../server/catalog/published-storage.ts'
import { findPython } from '../../../../find-python.ts'
import { serveFiles } from '../../../serve-files.ts'
import { fixtures, startServer } from '../../../start-server.ts'
import { findSnippet } from '../../find-snippet.ts'

const python = findPython('icechunk')

/** Returns the code of a page under this label. */
async function fetchSnippet(address: string, label: string, headers = {}): Promise<string> {
  return findSnippet(await (await fetch(address, { headers })).text(), label)
}

async function runPython(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(python.command, ['-c', program], { timeout: 120_000 })
  return stdout
}

t.test('the Python snippet works as pasted', { skip: python.skip }, async (t) => {
  const url = await serveFiles(t, fixtures)
  const published = StorageTemplate.parse({ storage: 'http', url: `${url}/{name}` })
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(fixtures), published }] })
  const snippet = await fetchSnippet(`${server.publicMeta}/datasets/weather/v1.0/forecast`, 'Python')
  t.match(snippet, `icechunk.redirect_storage("${server.publicMeta}/open/weather")`)
  t.match(snippet, `icechunk.http_storage("${url}/weather")`)
  const stdout = await runPython(`${snippet}\nprint(sorted(ds.data_vars), ds.sizes["time"])`)
  t.match(stdout, /^\['crs', .*'temperature', 'weather_code'\] 8$/m)
})

t.test('the code of a citation opens its snapshot as pasted', { skip: python.skip }, async (t) => {
  const published = StorageTemplate.parse({ storage: 'http', url: `${await serveFiles(t, fixtures)}/{name}` })
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(fixtures), published }] })
  const cite = async (meta: string, headers = {}) =>
    Citation.parse(await (await fetch(`${meta}/cite/weather/v1.0?group=forecast`, { headers })).json())
  const { code, snapshot_id: id } = await cite(server.publicMeta)
  t.match(code, `session = repo.readonly_session(snapshot_id="${id}")`)
  const stdout = await runPython(`${code}\nprint(session.snapshot_id == "${id}", ds.sizes["time"])`)
  t.equal(stdout.trim(), 'True 8')
  const hidden = await startServer(t)
  const { code: incomplete } = await cite(hidden.meta, { authorization: `Bearer ${hidden.adminKey}` })
  t.match(incomplete, 'storage = ...  # the location of the repository')
})

/** Writes a repository with virtual chunks in local files and behind HTTP. */
const writeVirtual = `
import sys
import icechunk, zarr
directory, address = sys.argv[1:]
places = {
    f"file://{directory}/data/": icechunk.local_filesystem_store(f"{directory}/data"),
    f"{address}/": icechunk.http_store(),
}
config = icechunk.RepositoryConfig.default()
for prefix, store in places.items():
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(prefix, store))
storage = icechunk.local_filesystem_storage(f"{directory}/repositories/it's #1")
session = icechunk.Repository.create(storage, config=config).writable_session("main")
for name, prefix in zip(["local", "remote"], places):
    zarr.create_array(session.store, name=f"a b/{name}", shape=[4], dtype="uint8", compressors=None, dimension_names=["x"])
    session.store.set_virtual_ref(f"a b/{name}/c/0", f"{prefix}numbers", offset=1, length=4)
session.commit("Refer to numbers")
`

t.test('the Python snippet reads virtual chunks as pasted', { skip: python.skip }, async (t) => {
  const directory = t.testdir({ data: { numbers: Buffer.from([0, 1, 2, 3, 4, 5]) }, repositories: {} })
  const address = await serveFiles(t, `${directory}/data`)
  await promisify(execFile)(python.command, ['-c', writeVirtual, directory, address], { timeout: 120_000 })
  const store = openLocalStore(`${directory}/repositories`)
  const server = await startServer(t, { sources: [{ kind: 'scan', store }] })
  const page = `${server.meta}/datasets/it's%20%231/main/a%20b`
  const snippet = await fetchSnippet(page, 'Python', { authorization: `Bearer ${server.adminKey}` })
  t.match(snippet, 'authorize_virtual_chunk_access')
  const stdout = await runPython(`${snippet}\nprint(ds["local"].values, ds["remote"].values)`)
  t.match(stdout, /^\[1 2 3 4\] \[1 2 3 4\]$/m)
})

t.test('the command that inspects the group works as pasted', async (t) => {
  const server = await startServer(t)
  const authorization = `Bearer ${server.adminKey}`
  const page = `${server.meta}/datasets/weather/v1.0/forecast`
  const snippet = await fetchSnippet(page, 'floe inspect', { authorization })
  const program = fileURLToPath(new URL('../../../../../server/bin/floe.js', import.meta.url))
  // As `npx floe` does after the package was installed.
  const npx = `npx() { shift; "${process.execPath}" --conditions=@floe/source "${program}" "$@"; }`
  const { stdout } = await promisify(execFile)('sh', ['-c', `${npx}\n${snippet}`], { timeout: 120_000 })
  t.match(stdout, /^Dimensions: \(.*time: 8/)
})
