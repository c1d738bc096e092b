import { inspect } from 'node:util'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { t } from 'tap'
import { openS3Store } from '../../../../../storage/repositories/objects/stores/s3-store.ts'
import { startLoopback } from '../loopback-server.ts'
import { dialects, hasty, secret, sendObject } from './dialects.ts'

const { signal } = new AbortController()

t.test('an encoded listing of S3 is read page by page', async (t) => {
  const page = (names: readonly string[], more: string) => {
    const prefixes = names.map((name) => `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`).join('')
    return `<?xml version="1.0"?><ListBucketResult>${prefixes}<EncodingType>url</EncodingType>${more}</ListBucketResult>`
  }
  const pages = [
    page(['refs/branch.a+b/', 'refs/branch.%C3%BC/'], '<NextContinuationToken>t/1+</NextContinuationToken>'),
    page(['refs/branch.a%2Bb/', 'refs//', 'other/'], ''),
  ]
  const { origin, requests } = await startLoopback(t, (request, response) => {
    const isSecond = new URL(request.url ?? '', origin).searchParams.get('continuation-token') === 't/1+'
    response.writeHead(200, { 'content-type': 'application/xml' }).end(pages[isSecond ? 1 : 0])
  })
  const store = await dialects.s3.open(origin, hasty)
  const options = { maxEntries: 5_000, signal }
  const prefixes = ['branch.a b', 'branch.a+b', 'branch.ü']
  t.strictSame(
    await store.list('refs/', options),
    { objects: [], prefixes },
    'without what is no name below the prefix',
  )
  t.equal(requests.length, 2)
  t.match(requests[0]?.url, /max-keys=1000/)
})

t.test('the error names the region in which S3 says the bucket lies', async (t) => {
  const { origin } = await startLoopback(t, (_request, response) => {
    response.setHeader('x-amz-bucket-region', 'eu-west-1')
    dialects.s3.refuse(response, 301, 'PermanentRedirect')
  })
  const store = await dialects.s3.open(origin, hasty)
  const read = store.read('repo', { maxBytes: 10, signal })
  await t.rejects(read, { status: 301, code: 'PermanentRedirect', message: /the bucket is in the region eu-west-1/ })
})

t.test('an endless listing or error is read up to a limit', async (t) => {
  let sent = 0
  const { origin } = await startLoopback(t, ({ url = '' }, response) => {
    response.writeHead(url.includes('list-type') ? 200 : 403, { 'content-type': 'application/xml' })
    const send = () => {
      while (!response.destroyed && sent < 200_000_000) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536, ' '))) return void response.once('drain', send)
      }
      response.end()
    }
    send()
  })
  const store = await dialects.s3.open(origin, hasty)
  const signal = AbortSignal.timeout(120_000)
  await t.rejects(store.list('refs/', { maxEntries: 10, signal }), { message: /more than 8000000 bytes/ })
  await t.rejects(store.read('repo', { maxBytes: 10, signal }), { status: 403, message: /more than 8000000 bytes/ })
  t.ok(sent < 40_000_000, `${sent} bytes were sent`)
})

t.test('credentials are used', async (t) => {
  const { origin, requests } = await startLoopback(t, sendObject)
  for (const name of ['s3', 'az'] as const) {
    const store = await dialects[name].open(origin, hasty)
    t.match(await store.read('repo', { maxBytes: 10, signal }), { state: 'found' })
  }
  t.match(requests[0]?.headers, {
    authorization: `Credential=AKIA${secret}`,
    'x-amz-security-token': `session${secret}`,
  })
  t.match(requests[1]?.url, `/account/container/repo?sv=2026-01-01&sig=${secret}`)
})

t.test('S3 gets the path that the SDK would send, signed as it arrives', async (t) => {
  const { origin, requests } = await startLoopback(t, sendObject)
  const store = await dialects.s3.open(origin, hasty)
  const sdk = new S3Client({ endpoint: origin, forcePathStyle: true, region: 'us-east-1' })
  t.teardown(() => sdk.destroy())
  const signer = await sdk.config.signer()
  for (const key of ['repo', 'a b', "it's (1)!*~", 'ü/ö', 'a+b&c=d', 'x%2Fy', '日本/🧊']) {
    const [{ length: start }] = [requests]
    await store.read(key, { maxBytes: 10, signal, ifNoneMatch: '"0"' })
    await (await sdk.send(new GetObjectCommand({ Bucket: 'bucket', Key: key }))).Body?.transformToByteArray()
    const [direct, fromSdk] = requests.slice(start)
    const { authorization = '', 'x-amz-date': date = '', ...arrived } = direct?.headers ?? {}
    t.equal(direct?.url, fromSdk?.url?.replace('?x-id=GetObject', ''), key)
    const [, names = ''] = /SignedHeaders=([^,]*),/.exec(authorization) ?? []
    const headers = Object.fromEntries(names.split(';').map((name) => [name, String(arrived[name] ?? date)]))
    const unsigned = {
      method: 'GET',
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: direct?.url ?? '',
      query: {},
      headers,
    }
    const signingDate = new Date(String(date).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    t.equal((await signer.sign(unsigned, { signingDate })).headers.authorization, authorization)
    t.match(names, /if-none-match/)
  }
})

t.test('after S3 has refused a request for its time, its clock is used', async (t) => {
  const ahead = 3_600_000
  const { origin, requests } = await startLoopback(t, (request, response) => {
    response.setHeader('date', new Date(Date.now() + ahead).toUTCString())
    if (requests.length === 1) return dialects.s3.refuse(response, 403, 'RequestTimeTooSkewed')
    sendObject(request, response)
  })
  const store = await dialects.s3.open(origin, hasty)
  await t.rejects(store.read('repo', { maxBytes: 10, signal }), { code: 'RequestTimeTooSkewed' })
  await store.read('repo', { maxBytes: 10, signal })
  const [first, second] = requests.map(({ headers }) => String(headers['x-amz-date']))
  t.not(first?.slice(0, 11), second?.slice(0, 11), 'the hours differ')
})

t.test('an anonymous S3 request carries no credentials', async (t) => {
  const { origin, requests } = await startLoopback(t, sendObject)
  const options = { endpoint: origin, pathStyle: true, anonymous: true }
  const store = await openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, options)
  t.match(await store.read('repo', { maxBytes: 10, signal }), { state: 'found' })
  t.equal(requests[0]?.headers.authorization, undefined)
  t.notMatch(inspect(requests[0]?.headers), 'HUSH')
})
