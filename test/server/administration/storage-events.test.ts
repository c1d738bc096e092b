import { createApiKey } from '@floe/storage/database'
import type { ObjectStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { MemoryStore } from '../../storage/memory-store.ts'
import { basic } from '../start-server.ts'
import { startAdministration } from './start-administration.ts'

const s3 = (key: string, eventName = 'ObjectCreated:Put') => ({
  Records: [{ eventVersion: '2.1', eventName, s3: { bucket: { name: 'repos' }, object: { key, size: 1 } } }],
})
const sns = (message: object) => ({
  Type: 'Notification',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:repos',
  Message: JSON.stringify(message),
})
const bridge = (key: string, type = 'Object Created') => ({
  source: 'aws.s3',
  'detail-type': type,
  detail: { bucket: { name: 'repos' }, object: { key } },
})
const grid = (key: string, eventType = 'Microsoft.Storage.BlobCreated') => [
  { id: '1', eventType, subject: `/blobServices/default/containers/repos/blobs/${key}`, data: {} },
]
const pubSub = (key: string, eventType = 'OBJECT_FINALIZE') => ({
  message: { data: 'e30=', attributes: { eventType, bucketId: 'repos', objectId: key } },
})

/** A server with one empty repository at each location, and the keys that were read of them. */
async function start(t: Test, locations: readonly string[]) {
  const asked: string[] = []
  const sources = locations.map((location) => {
    const memory = new MemoryStore()
    const store: ObjectStore = {
      location,
      encodesKeys: true,
      read: (key, options) => {
        asked.push(`${location} ${key}`)
        return memory.read(key, options)
      },
      list: (prefix, options) => memory.list(prefix, options),
      below: () => memory.below(),
    }
    return { kind: 'repository' as const, name: location.split('/').at(-1) ?? '', store }
  })
  const server = await startAdministration(t, { sources })
  const report = async (body: unknown, headers: Record<string, string> = {}) => {
    const response = await server.administer('POST', 'storage-events', body, headers)
    return { status: response.status, body: await response.json() }
  }
  return { server, asked, report }
}

t.test('each provider tells of written heads of both versions, and nothing else counts', async (t) => {
  const { report } = await start(t, ['s3://repos/a b', 'gs://repos/ice', 'az://repos/deep/wind', 's3://other/a b'])
  const yes = [
    s3('a+b/repo'),
    s3('a%20b/refs/branch.main/ref.json', 's3:ObjectCreated:CompleteMultipartUpload'),
    sns(s3('a+b/repo')),
    bridge('a b/repo'),
    grid('deep/wind/repo'),
    grid('deep/wind/refs/branch.main/ref.json'),
    pubSub('ice/repo'),
  ]
  for (const body of yes)
    t.strictSame(await report(body), { status: 200, body: { repositories: 1 } }, JSON.stringify(body))
  const no = [
    s3('a+b/repo', 'ObjectRemoved:Delete'),
    s3('a+b/snapshots/P874YS3J196959RDHX7G'),
    s3('a+b/refs/branch.dev/ref.json'),
    s3('a+b/x/repo'),
    s3('%ff/repo'),
    s3('repo'),
    sns({ hello: 'world' }),
    sns(sns(s3('a+b/repo'))),
    { ...sns({}), Message: 'hello' },
    bridge('a b/repo', 'Object Deleted'),
    bridge('nowhere/repo'),
    grid('deep/wind/repo', 'Microsoft.Storage.BlobDeleted'),
    pubSub('ice/repo', 'OBJECT_DELETE'),
    { Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'repos' },
  ]
  for (const body of no)
    t.strictSame(await report(body), { status: 200, body: { repositories: 0 } }, JSON.stringify(body))
})

t.test('what is no message of a provider is refused', async (t) => {
  const { report, asked } = await start(t, ['s3://repos/weather'])
  for (const body of [{}, 7, 'text', [7], { Records: [{}] }, { message: {} }, { ...sns({}), TopicArn: 'arn:$(x)' }]) {
    t.equal((await report(JSON.stringify(body))).status, 400, JSON.stringify(body))
  }
  t.equal((await report(s3('x'.repeat(70_000)))).status, 413)
  t.strictSame(asked, [])
})

t.test('many messages about one repository cost at most two checks at a time', async (t) => {
  const { report, asked, server } = await start(t, ['s3://repos/weather'])
  const { Records } = s3('weather/repo')
  await report({ Records: Array.from({ length: 200 }, () => Records[0]) })
  await Promise.all(Array.from({ length: 20 }, () => report(s3('weather/repo'))))
  await server.administer('POST', 'repos/weather/refresh')
  t.ok(asked.filter((key) => key.endsWith(' repo')).length <= 23, asked.length.toString())
})

t.test('a key that does not cover the repository learns nothing of it', async (t) => {
  const { report, server } = await start(t, ['s3://repos/weather', 's3://repos/ice'])
  const key = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['ice'] }, new Date())
  const authorization = basic('acme', key)
  t.strictSame((await report(s3('weather/repo'), { authorization })).body, { repositories: 0 })
  t.strictSame((await report(s3('ice/repo'), { authorization })).body, { repositories: 1 })
})

t.test('the handshakes of Event Grid and SNS are answered without asking anybody', async (t) => {
  const { report, asked } = await start(t, ['s3://repos/weather'])
  const eventType = 'Microsoft.EventGrid.SubscriptionValidationEvent'
  const data = { validationCode: '512d38b6', validationUrl: 'https://example.org/validate' }
  t.strictSame((await report([{ id: '1', eventType, subject: '', data }])).body, {
    repositories: 0,
    validationResponse: '512d38b6',
  })
  const confirmation = { Type: 'SubscriptionConfirmation', Token: '2336412f37', SubscribeURL: 'https://example.org/' }
  const headers = { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'SubscriptionConfirmation' }
  const { status, body } = await report(JSON.stringify({ ...sns({}), ...confirmation }), headers)
  t.equal(status, 200)
  t.match(body.next, /--topic-arn arn:aws:sns:eu-west-1:123456789012:repos --token 2336412f37$/)
  t.strictSame(asked, [])
})

t.test('a repository at the root of a bucket is named with and without a slash before its keys', async (t) => {
  const { report } = await start(t, ['s3://repos'])
  for (const key of ['repo', '/repo', 'refs/branch.main/ref.json', '/refs/branch.main/ref.json'])
    t.strictSame(await report(s3(key)), { status: 200, body: { repositories: 1 } }, key)
})
