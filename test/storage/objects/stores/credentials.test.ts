// Remote stores send their credentials to the service, and show them nowhere else.
import type { RequestListener } from 'node:http'
import { inspect } from 'node:util'
import { t } from 'tap'
import { openS3Store } from '../../../../storage/objects/stores/s3-store.ts'
import { startLoopback } from '../loopback-server.ts'
import { dialects, openAgainst, secret, sendObject, skipWait } from './dialects.ts'
import type { Dialect } from './dialects.ts'

for (const [name, dialect] of Object.entries<Dialect>(dialects)) {
  t.test(`${name}: no error shows a credential, even if the server repeats it`, async (t) => {
    const blab: RequestListener = (request, response) => {
      const said = `${request.url} ${JSON.stringify(request.headers)} ${secret}`.replaceAll(/[<>&]/g, '')
      dialect.refuse(response, 400, `Bad ${secret}`, said)
    }
    const told = await openAgainst(t, dialect, blab)
    const unreachable = await dialect.open('http://127.0.0.1:1', {
      answerWithinMs: 60_000,
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

t.test('credentials are used', async (t) => {
  const { origin, requests } = await startLoopback(t, sendObject)
  const retryOptions = { answerWithinMs: 60_000, random: () => 0, wait: skipWait }
  for (const name of ['s3', 'az'] as const) {
    const store = await dialects[name].open(origin, retryOptions)
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
