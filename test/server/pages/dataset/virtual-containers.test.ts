// The code of a page names the virtual chunk containers of a repository that official Icechunk wrote.
import { fileURLToPath } from 'node:url'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { startServer } from '../../start-server.ts'
import { findSnippet } from '../find-snippet.ts'

const store = openLocalStore(fileURLToPath(new URL('../../../fixtures/virtual/', import.meta.url)))
const virtual = { kind: 'repository', name: 'virtual', store } as const
const published = { storage: 'gcs', bucket: 'open', prefix: 'virtual', anonymous: false } as const

t.test('the code authorizes access to each container, and has no credentials', async (t) => {
  const server = await startServer(t, { sources: [{ ...virtual, published }] })
  const page = await (await fetch(`${server.publicMeta}/datasets/virtual/main/`)).text()
  t.match(
    findSnippet(page, 'Python'),
    `
storage = icechunk.gcs_storage(bucket="open", prefix="virtual", from_env=True)
credentials = icechunk.containers_credentials({
    "az://acme/models/": icechunk.azure_credentials(from_env=True),
    "file:///data/": icechunk.credentials.LocalFileSystemAccess,
    "gs://models/": icechunk.gcs_credentials(from_env=True),
    "https://example.org/data/": icechunk.credentials.HttpAccess,
    "s3://minio/": icechunk.s3_credentials(from_env=True),
    "s3://open-data/": icechunk.s3_credentials(anonymous=True),
    "s3://private-data/": icechunk.s3_credentials(from_env=True),
})
repo = icechunk.Repository.open(storage, authorize_virtual_chunk_access=credentials)
`,
  )
  t.match(
    findSnippet(page, 'TypeScript'),
    `
const repo = await Repository.open(storage, undefined, {
  "az://acme/models/": { type: 'Azure', field0: { type: 'FromEnv' } },
  "file:///data/": null,
  "gs://models/": { type: 'Gcs', field0: { type: 'FromEnv' } },
  "https://example.org/data/": { type: 'HttpAccess' },
  "s3://minio/": { type: 'S3', field0: { type: 'FromEnv' } },
  "s3://open-data/": { type: 'S3', field0: { type: 'Anonymous' } },
  "s3://private-data/": { type: 'S3', field0: { type: 'FromEnv' } },
})
`,
  )
  t.notMatch(page, 'hush')
})

t.test('who must not see where the repository is stored does not see its containers', async (t) => {
  const server = await startServer(t, { sources: [virtual] })
  const page = await (await server.get('datasets/virtual/main/', { accept: 'text/html' })).text()
  t.match(findSnippet(page, 'Python'), 'repo = icechunk.Repository.open(storage)')
  t.notMatch(page, 'private-data')
  const authorization = `Bearer ${server.adminKey}`
  const administrators = await (await server.get('datasets/virtual/main/', { authorization })).text()
  t.match(findSnippet(administrators, 'Python'), '"s3://private-data/": icechunk.s3_credentials(from_env=True)')
})

t.test('a damaged configuration does not stop the page', async (t) => {
  const id = buildId(1)
  const store = new MemoryStore([
    ['repo', buildRepo({ snapshots: [{ id, parent: -1 }], config: Buffer.from('hush') })],
    [`snapshots/${id}`, buildSnapshot({ nodes: [buildNode('/')] })],
  ])
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'damaged', store, published }] })
  const response = await fetch(`${server.publicMeta}/datasets/damaged/main/`)
  t.equal(response.status, 200)
  t.match(findSnippet(await response.text(), 'Python'), 'repo = icechunk.Repository.open(storage)')
})
