import { existsSync, writeFileSync } from 'node:fs'
import { globalAgent } from 'node:https'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { type Test, t } from 'tap'
import { openStore } from '../../../../../storage/repositories/objects/index.ts'
import { startLoopback } from '../loopback-server.ts'

const { signal } = new AbortController()

/**
 * Writes credentials into a new directory, and names them in the environment. They are for workload identity
 * federation, whose tokens can come from any server, so also from that of a test.
 */
function useCredentials(t: Test, origin: string): string {
  const directory = t.testdir({ subject: 'a token' })
  const credentials = {
    type: 'external_account',
    audience: '//iam.googleapis.com/floe',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${origin}/token`,
    credential_source: { file: join(directory, 'subject') },
  }
  writeFileSync(join(directory, 'key.json'), JSON.stringify(credentials))
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(directory, 'key.json')
  return directory
}

t.test('Google credentials go with the request, and an anonymous one has none', async (t) => {
  const { origin, requests } = await startLoopback(t, (request, response) => {
    response.setHeader('x-goog-generation', '1')
    if (request.url !== '/token') return void response.end('x')
    const token = { access_token: 'granted', issued_token_type: 'jwt', expires_in: 3_600, token_type: 'Bearer' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(token))
  })
  const directory = useCredentials(t, origin)
  const { PATH: path = '' } = process.env
  const searched = join(directory, 'searched')
  writeFileSync(join(directory, 'gcloud'), `#!/bin/sh\n: >'${searched}'\n`, { mode: 0o700 })
  process.env['PATH'] = `${directory}${delimiter}${path}`
  t.teardown(() => (process.env['PATH'] = path))
  // Send requests for the service's own address to this server: at a custom endpoint, the store would use no
  // credentials.
  globalAgent.createConnection = () => connect(Number(new URL(origin).port), '127.0.0.1')
  t.teardown(() => Reflect.deleteProperty(globalAgent, 'createConnection'))

  t.match(await (await openStore('gs://bucket')).read('a/b', { maxBytes: 10, signal }), { state: 'found', etag: '1' })
  const asked = requests.map(({ url, headers }) => [headers.host, url, headers.authorization])
  t.strictSame(asked, [
    [new URL(origin).host, '/token', undefined],
    ['storage.googleapis.com', '/storage/v1/b/bucket/o/a%2Fb?alt=media', 'Bearer granted'],
  ])
  t.equal(existsSync(searched), false, 'no program is run to find a project')
  const anonymous = await openStore('gs://bucket', { anonymous: true })
  t.match(await anonymous.read('a/b', { maxBytes: 10, signal }), { state: 'found' })
  t.equal(requests.at(-1)?.headers.authorization, undefined)
})

t.test('an error says that Google credentials are missing', async (t) => {
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(t.testdir({}), 'hush.json')
  const read = (await openStore('gs://bucket')).read('repo', { maxBytes: 10, signal })
  const message = /no Google credentials were found; a public bucket needs anonymous: true \(--anonymous\)$/
  await t.rejects(read, { name: 'ObjectStoreError', location: 'gs://bucket', message })
})

t.test('an error tells the status with which Google refused a token', async (t) => {
  const { origin, requests } = await startLoopback(t, (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
  })
  useCredentials(t, origin)
  const read = (await openStore('gs://bucket')).read('repo', { maxBytes: 10, signal })
  const message = /the store answered 400; Google gave no token for the credentials$/
  await t.rejects(read, { name: 'ObjectStoreError', status: 400, message })
  t.strictSame(
    requests.map(({ url }) => url),
    ['/token'],
  )
})

t.test('an invalid listing is refused', async (t) => {
  for (const body of ['<html>', '[]', '{"items":[{}]}', `{"prefixes":"${'x'.repeat(9_000_000)}"}`]) {
    const { origin } = await startLoopback(t, (_request, response) => void response.end(body))
    process.env['STORAGE_EMULATOR_HOST'] = origin
    t.teardown(() => delete process.env['STORAGE_EMULATOR_HOST'])
    const list = (await openStore('gs://bucket')).list('', { maxEntries: 10, signal })
    if (body.startsWith('<') || body.length > 100) await t.rejects(list, { name: 'ObjectStoreError' })
    else t.strictSame(await list, { objects: [], prefixes: [] })
  }
})
