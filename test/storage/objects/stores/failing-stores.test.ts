// What remote stores make of servers that fail, stall, lie or talk too much: one suite through each SDK.
import type { RequestListener, ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import t from 'tap'
import type { Test } from 'tap'
import { openAzureStore } from '../../../../storage/objects/stores/azure-store.ts'
import { openGcsStore } from '../../../../storage/objects/stores/gcs-store.ts'
import { openHttpStore } from '../../../../storage/objects/stores/http-store.ts'
import type { ObjectStore } from '../../../../storage/objects/index.ts'
import type { Patience } from '../../../../storage/objects/remote/retry.ts'
import { openS3Store } from '../../../../storage/objects/stores/s3-store.ts'
import { answerInTurn, startLoopback } from '../loopback-server.ts'

/** One way to reach a server. */
type Dialect = {
  readonly open: (origin: string, patience: Patience) => ObjectStore | Promise<ObjectStore>
  /** How the service says why it refused; plain HTTP and Google's answers hold no code that is read. */
  readonly refuse: (response: ServerResponse, status: number, code: string, body?: string) => void
  readonly tellsCodes: boolean
  readonly lists: boolean
}

// What must never be seen.
const secret = 'HUSH0123456789abcdef'
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: `AKIA${secret}`,
  AWS_SECRET_ACCESS_KEY: `key${secret}`,
  AWS_SESSION_TOKEN: `session${secret}`,
})

const refuseBare = (response: ServerResponse, status: number, code: string, body = code) =>
  void response.writeHead(status).end(body)

const dialects = {
  http: {
    open: (origin, patience) => {
      const base = new URL(`${origin}/root?signature=${secret}`)
      base.username = 'user'
      base.password = secret
      return openHttpStore(base, patience)
    },
    refuse: refuseBare,
    tellsCodes: false,
    lists: false,
  },
  s3: {
    open: (endpoint, patience) =>
      openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, { endpoint, pathStyle: true }, patience),
    refuse: (response, status, code, body = '') => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${body}</Message></Error>`)
    },
    tellsCodes: true,
    lists: true,
  },
  gs: {
    open: (origin, patience) => {
      process.env['STORAGE_EMULATOR_HOST'] = origin
      return openGcsStore({ kind: 'gs', bucket: 'bucket', prefix: '' }, {}, patience)
    },
    refuse: refuseBare,
    tellsCodes: false,
    lists: true,
  },
  az: {
    open: (origin, patience) => {
      const connection = `BlobEndpoint=${origin}/account;SharedAccessSignature=sv=2026-01-01&sig=${secret}`
      const environment = { AZURE_STORAGE_CONNECTION_STRING: connection }
      return openAzureStore({ kind: 'az', bucket: 'container', prefix: '' }, {}, environment, patience)
    },
    refuse: (response, status, code, body = '') => {
      response.writeHead(status, { 'content-type': 'application/xml', 'x-ms-error-code': code })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${body}</Message></Error>`)
    },
    tellsCodes: true,
    lists: true,
  },
} satisfies Record<string, Dialect>

/** Headers of an object, as all services send them. */
const headers = { etag: '"1"', 'x-goog-generation': '1', 'last-modified': new Date(0).toUTCString() }

const sendObject: RequestListener = (_request, response) => {
  response.writeHead(200, { ...headers, 'content-length': 7 }).end('content')
}

for (const [name, dialect] of Object.entries<Dialect>(dialects)) {
  const setUp = async (t: Test, listener: RequestListener, patience: Partial<Patience> = {}) => {
    const { origin, requests } = await startLoopback(t, listener)
    const waits: number[] = []
    const wait = async (ms: number) => void waits.push(ms)
    const store = await dialect.open(origin, { answerWithinMs: 5_000, random: () => 0.5, wait, ...patience })
    const read = (maxBytes = 1_000, signal = new AbortController().signal) => store.read('repo', { maxBytes, signal })
    return { store, read, requests, waits }
  }

  t.test(`${name}: a server that is busy is asked three times, after longer and longer waits`, async (t) => {
    const busy: RequestListener = (_request, response) => dialect.refuse(response, 503, 'SlowDown')
    const patient = await setUp(t, answerInTurn(busy, busy, sendObject))
    t.match(await patient.read(), { state: 'found', bytes: new Uint8Array(Buffer.from('content')) })
    t.strictSame(patient.waits, [100, 200])
    t.equal(patient.requests.length, 3)

    const hopeless = await setUp(t, busy)
    await t.rejects(hopeless.read(), { name: 'ObjectStoreError', status: 503, message: /answered 503/ })
    t.equal(hopeless.requests.length, 3, 'the SDK adds no tries of its own')
    if (!dialect.lists) return
    const options = { maxEntries: 10, signal: new AbortController().signal }
    await t.rejects(hopeless.store.list('', options), { name: 'ObjectStoreError', key: '', status: 503 })
    t.equal(hopeless.requests.length, 6)
  })

  t.test(`${name}: a refusal is told at once, with status and code`, async (t) => {
    const forbid: RequestListener = (_request, response) => dialect.refuse(response, 403, 'AccessDenied')
    const { store, read, requests } = await setUp(t, forbid)
    const code = dialect.tellsCodes ? 'AccessDenied' : undefined
    await t.rejects(read(), { name: 'ObjectStoreError', location: store.location, key: 'repo', status: 403, code })
    t.equal(requests.length, 1)
  })

  t.test(`${name}: a connection that breaks is made again`, async (t) => {
    const reset: RequestListener = (request) => request.socket.resetAndDestroy()
    const breakOff: RequestListener = (_request, response) => {
      response.writeHead(200, { ...headers, 'content-length': 7 }).write('cont', () => response.socket?.destroy())
    }
    const { read, requests } = await setUp(t, answerInTurn(reset, breakOff, sendObject))
    t.match(await read(), { state: 'found', bytes: new Uint8Array(Buffer.from('content')) })
    t.equal(requests.length, 3)
    const broken = await setUp(t, breakOff)
    await t.rejects(broken.read(), { name: 'ObjectStoreError', code: /ENDED_EARLY|ECONNRESET/ })
  })

  t.test(`${name}: a server that does not answer is a timeout`, async (t) => {
    const { read, requests } = await setUp(t, () => undefined, { answerWithinMs: 100 })
    await t.rejects(read(), { name: 'ObjectStoreTimeoutError', key: 'repo' })
    t.equal(requests.length, 3)
  })

  t.test(`${name}: a caller that leaves is not kept, before or after the answer has begun`, async (t) => {
    const reason = new Error('enough')
    for (const begins of [false, true]) {
      const leave = new AbortController()
      const closed = Promise.withResolvers<void>()
      const { read } = await setUp(t, (_request, response) => {
        response.on('close', closed.resolve)
        if (begins) response.writeHead(200, { ...headers, 'content-length': 7 }).write('cont')
        setImmediate(() => leave.abort(reason))
      })
      await t.rejects(read(1_000, leave.signal), reason)
      await t.resolves(closed.promise, 'the connection is closed')
    }
  })

  t.test(`${name}: what is announced too large is not read`, async (t) => {
    const closed = Promise.withResolvers<void>()
    const { read, requests } = await setUp(t, (_request, response) => {
      response.on('close', closed.resolve)
      response.writeHead(200, { ...headers, 'content-length': 1e12 }).flushHeaders()
    })
    await t.rejects(read(), { name: 'ObjectTooLargeError' })
    await t.resolves(closed.promise, 'the connection is closed')
    t.equal(requests.length, 1)
  })

  // Azure's SDK takes no object without a length.
  if (name !== 'az') {
    t.test(`${name}: what turns out too large is read no further`, async (t) => {
      const closed = Promise.withResolvers<void>()
      const { read } = await setUp(t, (_request, response) => {
        response.on('close', closed.resolve)
        const pour = () => void response.write(Buffer.alloc(65_536), (error) => error ?? pour())
        response.writeHead(200, headers)
        pour()
      })
      await t.rejects(read(1_000_000), { name: 'ObjectTooLargeError' })
      await t.resolves(closed.promise, 'the connection is closed')
    })
  }

  t.test(`${name}: no credential is in an error, whatever the server says`, async (t) => {
    const blab: RequestListener = (request, response) => {
      const said = `${request.url} ${JSON.stringify(request.headers)} ${secret}`.replaceAll(/[<>&]/g, '')
      dialect.refuse(response, 400, `Bad ${secret}`, said)
    }
    const told = await setUp(t, blab)
    const unreachable = await dialect.open('http://127.0.0.1:1', {
      answerWithinMs: 5_000,
      random: () => 0,
      wait: skipWait,
    })
    const options = { maxBytes: 1_000, maxEntries: 10, signal: new AbortController().signal }
    const attempts = [told.read(), told.store.list('', options), unreachable.read('repo', options)]
    for (const attempt of await Promise.allSettled(attempts)) {
      t.equal(attempt.status, 'rejected')
      const error: unknown = attempt.status === 'rejected' ? attempt.reason : undefined
      t.match(error, { name: 'ObjectStoreError' })
      const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)
      t.notMatch(shown, 'HUSH')
      t.notMatch(shown, /signature|sig=|AKIA/i)
    }
    t.notMatch(inspect(told.store, { depth: 9, showHidden: true }), 'HUSH', 'nor in a store that is shown')
  })
}

t.test('an encoded listing of S3 is taken page by page', async (t) => {
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

t.test('credentials are used', async (t) => {
  const { origin, requests } = await startLoopback(t, sendObject)
  const patience = { answerWithinMs: 5_000, random: () => 0, wait: skipWait }
  for (const name of ['s3', 'az'] as const) {
    const store = await dialects[name].open(origin, patience)
    t.match(await store.read('repo', { maxBytes: 10, signal: new AbortController().signal }), { state: 'found' })
  }
  t.match(requests[0]?.headers, {
    authorization: `Credential=AKIA${secret}`,
    'x-amz-security-token': `session${secret}`,
  })
  t.match(requests[1]?.url, `/account/container/repo?sv=2026-01-01&sig=${secret}`)
})

t.test('an anonymous S3 request carries no credentials', async (t) => {
  const { origin, requests } = await startLoopback(t, sendObject)
  const options = { endpoint: origin, pathStyle: true, anonymous: true }
  const store = await openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, options)
  t.match(await store.read('repo', { maxBytes: 10, signal: new AbortController().signal }), { state: 'found' })
  t.equal(requests[0]?.headers.authorization, undefined)
  t.notMatch(inspect(requests[0]?.headers), 'HUSH')
})

t.test('the region that S3 asks for is told', async (t) => {
  const { origin } = await startLoopback(t, (_request, response) => {
    response.setHeader('x-amz-bucket-region', 'eu-west-1')
    dialects.s3.refuse(response, 301, 'PermanentRedirect')
  })
  const store = await openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, { endpoint: origin, pathStyle: true })
  const read = store.read('repo', { maxBytes: 10, signal: new AbortController().signal })
  await t.rejects(read, { status: 301, code: 'PermanentRedirect', message: /the bucket lies in the region eu-west-1/ })
})

async function skipWait(): Promise<void> {}
