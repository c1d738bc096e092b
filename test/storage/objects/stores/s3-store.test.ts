import { t } from 'tap'
import { openS3Store } from '../../../../storage/objects/stores/s3-store.ts'
import { startLoopback } from '../loopback-server.ts'
import { dialects } from './dialects.ts'

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
  const store = await openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, { endpoint: origin, pathStyle: true })
  const options = { maxEntries: 5_000, signal: new AbortController().signal }
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
  const store = await openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, { endpoint: origin, pathStyle: true })
  const read = store.read('repo', { maxBytes: 10, signal: new AbortController().signal })
  await t.rejects(read, { status: 301, code: 'PermanentRedirect', message: /the bucket is in the region eu-west-1/ })
})

t.test('a listing or an error without end is not read whole', async (t) => {
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
  const store = await openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, { endpoint: origin, pathStyle: true })
  const signal = AbortSignal.timeout(30_000)
  await t.rejects(store.list('refs/', { maxEntries: 10, signal }), { message: /more than 8000000 bytes/ })
  await t.rejects(store.read('repo', { maxBytes: 10, signal }), { status: 403, message: /more than 8000000 bytes/ })
  t.ok(sent < 40_000_000, `${sent} bytes were sent`)
})
