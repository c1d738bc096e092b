// How many requests to an object store an answer costs, and how many of them wait for one another. S3 and Azure need
// servers that are not part of this project: see test/README.md.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { BlobServiceClient } from '@azure/storage-blob'
import { type ObjectStore, openLocalStore, openStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { countReads } from '../../catalog/count-reads.ts'
import { fixtures, startServer } from '../../start-server.ts'

const { FLOE_TEST_MOTO: moto, FLOE_TEST_AZURITE: azurite } = process.env
const bucket = `floe-rounds-${process.pid}-${Date.now()}`
const names = ['weather', 'weather-v1']

const start = Date.now()
/** Stands still, so that on a slow machine no ref gets too old, and no caller waits too long. */
const now = () => start

// Proves: no chunk is read: an answer needs the refs and one snapshot
t.test('a directory', async (t) => testRoundTrips(t, openLocalStore(fixtures)))

t.test('S3, on moto', { skip: moto === undefined && 'FLOE_TEST_MOTO names no moto server' }, async (t) => {
  const endpoint = moto ?? ''
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  await copyFixtures((key, bytes) => client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes })))
  await testRoundTrips(t, await openStore(`s3://${bucket}`, { endpoint, pathStyle: true }))
})

t.test(
  'Azure, on Azurite',
  { skip: azurite === undefined && 'FLOE_TEST_AZURITE names no Azurite server' },
  async (t) => {
    // Azurite's well-known account.
    const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='
    process.env['AZURE_STORAGE_CONNECTION_STRING'] =
      `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${key};` +
      `BlobEndpoint=${azurite}/devstoreaccount1;`
    const container = BlobServiceClient.fromConnectionString(
      process.env['AZURE_STORAGE_CONNECTION_STRING'],
    ).getContainerClient(bucket)
    await container.create()
    await copyFixtures((name, bytes) => container.getBlockBlobClient(name).upload(bytes, bytes.length))
    await testRoundTrips(t, await openStore(`az://${bucket}`))
  },
)

/** Writes the objects of the repositories of these tests, without chunks and manifests. */
async function copyFixtures(put: (key: string, bytes: Buffer) => Promise<unknown>): Promise<void> {
  for (const name of names) {
    for (const file of await readdir(join(fixtures, name), { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name)
      const key = path.slice(fixtures.length)
      if (file.isFile() && !/\/(chunks|manifests)\//.test(key)) await put(key, await readFile(path))
    }
  }
}

async function testRoundTrips(t: Test, root: ObjectStore): Promise<void> {
  for (const name of names) {
    await t.test(
      `${name}: 100 callers of an answer cost one read of each object, one after the other only when needed`,
      async (t) => {
        const { store, reads, countRounds } = countReads(root.below(`${name}/`))
        const server = await startServer(t, { sources: [{ kind: 'repository', name, store }], refMaxAge: 60_000, now })
        const ask = () => server.get(`datasets/${name}/main/forecast/info`)
        const answers = await Promise.all(Array.from({ length: 100 }, ask))
        t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
        const snapshot = `snapshots/${answers[0]?.headers.get('floe-snapshot')}`
        t.strictSame(reads.toSorted(), ['refs/branch.main/ref.json', 'repo', snapshot])
        t.equal(countRounds(), 2, 'both objects of the ref at once, then the snapshot')

        await ask()
        await server.get(`datasets/${name}/main/wind/speed/info`)
        t.equal(reads.length, 3, 'other answers about a snapshot that was read need no read')
      },
    )

    await t.test(`${name}: when the ref is too old, an answer costs one check of the ref`, async (t) => {
      const { store, reads, countRounds } = countReads(root.below(`${name}/`))
      const server = await startServer(t, { sources: [{ kind: 'repository', name, store }], refMaxAge: 0 })
      await server.get(`datasets/${name}/main/forecast/info`)
      const before = { reads: reads.length, rounds: countRounds() }
      t.equal((await server.get(`datasets/${name}/main/forecast/info`)).status, 200)
      t.strictSame(reads.slice(before.reads), name === 'weather' ? ['repo'] : ['repo', 'refs/branch.main/ref.json'])
      t.equal(countRounds(), before.rounds + 1)
    })
  }

  await t.test('weather-v1: another branch costs a listing and its file more', async (t) => {
    const { store, countRounds } = countReads(root.below('weather-v1/'))
    const server = await startServer(t, {
      sources: [{ kind: 'repository', name: 'weather-v1', store }],
      refMaxAge: 60_000,
      now,
    })
    t.equal((await server.get('datasets/weather-v1/dev/forecast/info')).status, 200)
    t.equal(countRounds(), 4)
  })
}
