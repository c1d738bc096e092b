// Tests each remote store against servers that fail, stall, break off, send too much, or repeat what they were told.
import type { RequestListener } from 'node:http'
import { inspect } from 'node:util'
import { t } from 'tap'
import { answerInTurn } from '../loopback-server.ts'
import { type Dialect, dialects, hasty, headers, openAgainst, secret, sendObject } from './dialects.ts'

for (const [name, dialect] of Object.entries<Dialect>(dialects)) {
  t.test(`${name}: a busy server is asked three times, with growing waits`, async (t) => {
    const busy: RequestListener = (_request, response) => dialect.refuse(response, 503, 'SlowDown')
    const patient = await openAgainst(t, dialect, answerInTurn(busy, busy, sendObject))
    t.match(await patient.read(), { state: 'found', bytes: new Uint8Array(Buffer.from('content')) })
    t.strictSame(patient.waits, [100, 200])
    t.equal(patient.requests.length, 3)

    const hopeless = await openAgainst(t, dialect, busy)
    await t.rejects(hopeless.read(), { name: 'ObjectStoreError', status: 503, message: /answered 503/ })
    t.equal(hopeless.requests.length, 3, 'the SDK adds no tries of its own')
    if (!dialect.lists) return
    const options = { maxEntries: 10, signal: new AbortController().signal }
    await t.rejects(hopeless.store.list('', options), { name: 'ObjectStoreError', key: '', status: 503 })
    t.equal(hopeless.requests.length, 6)
  })

  t.test(`${name}: no error shows a credential, even if the server repeats it`, async (t) => {
    const blab: RequestListener = (request, response) => {
      const said = `${request.url} ${JSON.stringify(request.headers)} ${secret}`.replaceAll(/[<>&]/g, '')
      dialect.refuse(response, 400, `Bad ${secret}`, said)
    }
    const told = await openAgainst(t, dialect, blab)
    const unreachable = await dialect.open('http://127.0.0.1:1', hasty)
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

  t.test(`${name}: a refusal is reported at once, with status and code`, async (t) => {
    const forbid: RequestListener = (_request, response) => dialect.refuse(response, 403, 'AccessDenied')
    const { store, read, requests } = await openAgainst(t, dialect, forbid)
    const code = dialect.tellsCodes ? 'AccessDenied' : undefined
    await t.rejects(read(), { name: 'ObjectStoreError', location: store.location, key: 'repo', status: 403, code })
    t.equal(requests.length, 1)
  })

  t.test(`${name}: a broken connection is opened again`, async (t) => {
    const reset: RequestListener = (request) => request.socket.resetAndDestroy()
    const breakOff: RequestListener = (_request, response) => {
      response.writeHead(200, { ...headers, 'content-length': 7 }).write('cont', () => response.socket?.destroy())
    }
    const { read, requests } = await openAgainst(t, dialect, answerInTurn(reset, breakOff, sendObject))
    t.match(await read(), { state: 'found', bytes: new Uint8Array(Buffer.from('content')) })
    t.equal(requests.length, 3)
    const broken = await openAgainst(t, dialect, breakOff)
    await t.rejects(broken.read(), { name: 'ObjectStoreError', code: /ENDED_EARLY|ECONNRESET/ })
  })

  t.test(`${name}: a server that does not answer causes a timeout error`, async (t) => {
    const { read, waits } = await openAgainst(t, dialect, () => undefined, { answerWithinMs: 100 })
    await t.rejects(read(), { name: 'ObjectStoreTimeoutError', key: 'repo' })
    // On a busy machine, the time may be over before a request has arrived.
    t.strictSame(waits, [100, 200], 'it was tried three times')
  })

  t.test(`${name}: a body that stalls is a timeout error, too`, async (t) => {
    const stall: RequestListener = (_request, response) => {
      response.writeHead(200, { ...headers, 'content-length': 7 }).write('cont')
    }
    const { read, waits } = await openAgainst(t, dialect, stall, { answerWithinMs: 100 })
    await t.rejects(read(), { name: 'ObjectStoreTimeoutError', key: 'repo' })
    t.strictSame(waits, [100, 200], 'it was tried three times')
  })

  t.test(`${name}: an abort ends the read, before and after the answer has begun`, async (t) => {
    const reason = new Error('enough')
    for (const begins of [false, true]) {
      const leave = new AbortController()
      const closed = Promise.withResolvers<void>()
      const { read } = await openAgainst(t, dialect, (_request, response) => {
        response.on('close', closed.resolve)
        if (begins) response.writeHead(200, { ...headers, 'content-length': 7 }).write('cont')
        setImmediate(() => leave.abort(reason))
      })
      await t.rejects(read(1_000, leave.signal), reason)
      await t.resolves(closed.promise, 'the connection is closed')
    }
  })

  t.test(`${name}: an object that is announced as too large is not read`, async (t) => {
    const closed = Promise.withResolvers<void>()
    const { read, requests } = await openAgainst(t, dialect, (_request, response) => {
      response.on('close', closed.resolve)
      response.writeHead(200, { ...headers, 'content-length': 1e12 }).flushHeaders()
    })
    await t.rejects(read(), { name: 'ObjectTooLargeError' })
    await t.resolves(closed.promise, 'the connection is closed')
    t.equal(requests.length, 1)
  })

  t.test(`${name}: a part that is read to its end leaves its connection open`, async (t) => {
    const { store, requests } = await openAgainst(t, dialect, (_request, response) => {
      response.writeHead(206, { ...headers, 'content-length': 4, 'content-range': 'bytes 0-3/7' }).end('cont')
    })
    const part = { maxBytes: 1_000, range: { start: 0, end: 4 }, signal: new AbortController().signal }
    for (let count = 0; count < 10; count++) t.match(await store.read('repo', part), { state: 'found' })
    // A connection is free again a moment after its answer.
    t.ok(new Set(requests.map(({ socket }) => socket)).size < 5)
  })

  // Azure's SDK refuses an object without a length.
  if (name !== 'az') {
    t.test(`${name}: reading stops when an unannounced body exceeds the limit`, async (t) => {
      const closed = Promise.withResolvers<void>()
      const { read } = await openAgainst(t, dialect, (_request, response) => {
        response.on('close', closed.resolve)
        const pour = () => void response.write(Buffer.alloc(65_536), (error) => error ?? pour())
        response.writeHead(200, headers)
        pour()
      })
      await t.rejects(read(1_000_000), { name: 'ObjectTooLargeError' })
      await t.resolves(closed.promise, 'the connection is closed')
    })
  }
}
