// Runs the same tests on all stores. S3 and Azure need servers that are not part of this project: see test/README.md.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BlobServiceClient } from '@azure/storage-blob'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Storage } from '@google-cloud/storage'
import { t } from 'tap'
import { openLocalStore, openStore } from '../../../../../storage/repositories/objects/index.ts'
import { startLoopback } from '../loopback-server.ts'
import { type ServedObjects, serveFiles, serveGcs } from './serve-objects.ts'
import { testListing, testReading } from './store-behaviour.ts'

const { FLOE_TEST_MOTO: moto, FLOE_TEST_AZURITE: azurite, FLOE_TEST_GCS: emulator } = process.env
const explainSkip = (variable: string, server: string) => `${variable} names no ${server} server`

/** A name that no earlier run on the same server has used. */
const bucket = `floe-${process.pid}-${Date.now()}`

t.test('a directory', async (t) => {
  const directory = t.testdir({})
  const put = async (key: string, content: string) => {
    const path = join(directory, key)
    mkdirSync(dirname(path), { recursive: true })
    // Replace files as Icechunk does. Two writes in place can have the same time, because clocks of file systems can
    // advance in milliseconds.
    writeFileSync(`${path}#1`, content)
    renameSync(`${path}#1`, path)
  }
  const store = openLocalStore(directory)
  t.equal(store.encodesKeys, true)
  await testReading(t, { store, put })
  await testListing(t, { store, put })
})

t.test('a web server', async (t) => {
  const objects: ServedObjects = new Map()
  const { origin } = await startLoopback(t, serveFiles(objects))
  const store = await openStore(`${origin}/root/`)
  t.match(store, { location: `${origin}/root`, encodesKeys: true })
  await testReading(t, { store, put: putInto(objects) })
})

t.test('Google Cloud Storage, on a server of this test', async (t) => {
  const objects: ServedObjects = new Map()
  const { origin } = await startLoopback(t, serveGcs(objects))
  process.env['STORAGE_EMULATOR_HOST'] = origin
  t.teardown(() => delete process.env['STORAGE_EMULATOR_HOST'])
  const store = await openStore('gs://bucket/some/prefix')
  t.match(store, { location: 'gs://bucket/some/prefix', encodesKeys: true })
  const put = (key: string, content: string) => putInto(objects)(`some/prefix/${key}`, content)
  await testReading(t, { store, put })
  await testListing(t, { store, put })
})

const emulatorIsMissing = emulator === undefined && explainSkip('FLOE_TEST_GCS', 'Google Cloud Storage')
t.test('Google Cloud Storage, on an external emulator', { skip: emulatorIsMissing }, async (t) => {
  const sdk = new Storage({ projectId: 'floe', apiEndpoint: emulator ?? '' })
  const [written] = await sdk.createBucket(bucket)
  process.env['STORAGE_EMULATOR_HOST'] = emulator
  t.teardown(() => delete process.env['STORAGE_EMULATOR_HOST'])
  const store = await openStore(`gs://${bucket}/some/prefix`)
  const put = (key: string, content: string) => written.file(`some/prefix/${key}`).save(content, { resumable: false })
  await testReading(t, { store, put })
  await testListing(t, { store, put })
})

t.test('S3, on moto', { skip: moto === undefined && explainSkip('FLOE_TEST_MOTO', 'moto') }, async (t) => {
  const endpoint = moto ?? ''
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const put = async (key: string, content: string) => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: `some/prefix/${key}`, Body: Buffer.from(content) }))
  }
  const store = await openStore(`s3://${bucket}/some/prefix/`, { endpoint, pathStyle: true })
  t.match(store, { location: `s3://${bucket}/some/prefix`, encodesKeys: false })
  await testReading(t, { store, put })
  await testListing(t, { store, put })

  const elsewhere = await openStore('s3://no-such-bucket-of-floe', { endpoint, pathStyle: true })
  const failure = { name: 'ObjectStoreError', status: 404, code: 'NoSuchBucket' }
  const { signal } = new AbortController()
  await t.rejects(elsewhere.read('repo', { maxBytes: 1, signal }), failure, 'a bucket that is not there is no absence')
})

t.test(
  'Azure, on Azurite',
  { skip: azurite === undefined && explainSkip('FLOE_TEST_AZURITE', 'Azurite') },
  async (t) => {
    // Azurite's well-known account.
    const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='
    const connection = `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${key};BlobEndpoint=${azurite}/devstoreaccount1;`
    process.env['AZURE_STORAGE_CONNECTION_STRING'] = connection
    const container = BlobServiceClient.fromConnectionString(connection).getContainerClient(bucket)
    await container.create()
    const put = async (key: string, content: string) => {
      await container.getBlockBlobClient(`some/prefix/${key}`).upload(content, Buffer.byteLength(content))
    }
    const store = await openStore(`az://${bucket}/some/prefix`)
    t.match(store, { location: `az://${bucket}/some/prefix`, encodesKeys: true })
    await testReading(t, { store, put })
    await testListing(t, { store, put })

    const elsewhere = await openStore('az://no-such-container')
    const failure = { name: 'ObjectStoreError', status: 404, code: 'ContainerNotFound' }
    const { signal } = new AbortController()
    await t.rejects(
      elsewhere.read('repo', { maxBytes: 1, signal }),
      failure,
      'a container that is not there is no absence',
    )
  },
)

function putInto(objects: ServedObjects): (key: string, content: string) => Promise<void> {
  return async (key, content) => {
    const generation = (objects.get(key)?.generation ?? 0) + 1
    objects.set(key, { content: Buffer.from(content), generation })
  }
}
